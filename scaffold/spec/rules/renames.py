"""Check `renamedFrom`: an old name must be unused and unique."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield old names that are still in use or given twice."""
    for entries in draft.spec.entries.values():
        names = {entry.name for entry in entries}
        claimed = set[str]()
        for entry in entries:
            old = entry.renamed_from
            if old is None:
                continue
            if old in names or old in claimed:
                used = "still a name here" if old in names else "the old name of another entry"
                yield Finding(
                    f"{entry.pointer}/renamedFrom",
                    "bad-rename",
                    f"{quote(old)} is {used}",
                    "remove `renamedFrom`, or give the name that the entry had before; two names "
                    "are exchanged one at a time, with a run in between",
                )
            claimed.add(old)
