"""The documentation of the rules about changes, made from their table.

    python -m tests.breaking.documentation

writes it to diagnostics.md.
"""

from __future__ import annotations

from pathlib import Path

import scaffold
from scaffold.breaking.change import Level
from scaffold.breaking.rules import RULES

PAGE = Path(scaffold.__file__).parent / "diagnostics" / "diagnostics.md"

START = "### no-baseline\n"
WORDS = {Level.ERROR: "Error", Level.WARNING: "Warning", Level.INFO: "Note"}


def documented() -> str:
    """The page, with a section for each rule after that of `no-baseline`, up to the next part."""
    before, start, rest = PAGE.read_text("utf-8").partition(START)
    section, heading, after = rest.partition("\n## ")
    text, _, _ = section.partition("\n### ")
    rules = "".join(
        f"\n### {id}\n\n*{WORDS[rule.level]} of `breaking`.* "
        f"{' '.join(filter(None, (rule.meaning, rule.remedy)))}\n"
        for id, rule in RULES.items()
    )
    return f"{before}{start}{text}{rules}{heading}{after}"


if __name__ == "__main__":
    PAGE.write_text(documented(), "utf-8")
