"""Bring every example up to date with the code of today.

    python -m tests.regenerate.examples

`mcp-scaffold regenerate` trusts the hashes in an example's lock, which know the templates and the
version of mcp-scaffold but no change of its code. Exits with 1 if one has a conflict.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scaffold.commands.regenerate import regenerate

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/*/mcp.yaml"))


def main() -> int:
    conflicts = False
    for spec in EXAMPLES:
        outcome = regenerate(spec.parent, [], False)
        conflicts |= outcome.applied is None
        count = len(outcome.applied or ())
        report = (
            "a conflict, nothing was written"
            if outcome.applied is None
            else f"{count} files written"
        )
        print(f"{spec.parent.name}: {report}")
    return int(conflicts)


if __name__ == "__main__":
    sys.exit(main())
