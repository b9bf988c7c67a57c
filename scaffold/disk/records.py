"""Paths in a project's `.scaffold/`, where no template may write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scaffold.files import RECORDS, Owner, RelPath, RenderedFile

# What we wrote last: committed with the project.
LOCK = RelPath(".scaffold/lock.json")
IGNORE = RelPath(".scaffold/.gitignore")
LAST_SPEC = RelPath(".scaffold/mcp.yaml")

# A run under way: nobody's to commit.
JOURNAL = RelPath(".scaffold/journal.json")
STAGE = RelPath(".scaffold/stage")
RUN = RelPath(".scaffold/run.lock")
IGNORED = "/journal.json\n/run.lock\n/stage/\n"


# What a project's pack is, and where it comes from: committed too.
PACK = RelPath(".scaffold/pack")
SOURCE = RelPath(".scaffold/pack.json")
ORIGINALS = RelPath(".scaffold/ejected")

Metadata = Mapping[RelPath, str | None]
"""Files for `.scaffold/` that no template makes: their text by path, None for none."""


def base(path: RelPath) -> RelPath:
    """Where the text that the template gave last for a merged file lies, for the next merge."""
    return RelPath(f"{RECORDS}/base/{path}")


def records(files: Iterable[RenderedFile], lock: str) -> dict[RelPath, str]:
    """What lies in `.scaffold/` beside a project of these files and this lock; the lock last."""
    bases = {base(file.path): file.text for file in files if file.owner is Owner.MERGED}
    return {IGNORE: IGNORED, **bases, LOCK: lock}


def is_record(path: RelPath) -> bool:
    """Whether a path in `.scaffold/` is one of those that belong to the project."""
    folders = (f"{RECORDS}/base/", f"{PACK}/", f"{ORIGINALS}/")
    return path in (LOCK, IGNORE, LAST_SPEC, SOURCE) or path.startswith(folders)
