"""Paths in a project's `.scaffold/`, where no template may write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scaffold.files import RECORDS, Owner, RelPath, RenderedFile

# What we wrote last: committed with the project.
LOCK = RelPath(".scaffold/lock.json")
IGNORE = RelPath(".scaffold/.gitignore")
LAST_SPEC = RelPath(".scaffold/mcp.yaml")
SCHEMA = RelPath(".scaffold/mcp.schema.json")

# State of the current run: never committed.
JOURNAL = RelPath(".scaffold/journal.json")
STAGE = RelPath(".scaffold/stage")
RUN = RelPath(".scaffold/run.lock")
IGNORED = "/journal.json\n/run.lock\n/stage/\n"


# The project's pack and its source: committed too.
PACK = RelPath(".scaffold/pack")
SOURCE = RelPath(".scaffold/pack.json")
ORIGINALS = RelPath(".scaffold/ejected")

Metadata = Mapping[RelPath, str | bytes | None]
"""Files in `.scaffold/` that no template makes, by path: a text, bytes, or None for no file."""


def imported_at(name: str) -> RelPath:
    """Return where the spec `name` is kept as it was imported last, for the next import."""
    return RelPath(f"{RECORDS}/imported/{name}")


def choices_at(name: str) -> RelPath:
    """Return where the options of that import are kept, for the next import."""
    return RelPath(f"{RECORDS}/imported/{name}.json")


def base(path: RelPath) -> RelPath:
    """Return where the template's last text for a merged file is kept, for the next merge."""
    return RelPath(f"{RECORDS}/base/{path}")


def records(files: Iterable[RenderedFile], lock: str) -> dict[RelPath, str]:
    """Return the files in `.scaffold/` of a project with these files and this lock, lock last."""
    bases = {base(file.path): file.text for file in files if file.owner is Owner.MERGED}
    return {IGNORE: IGNORED, **bases, LOCK: lock}


def is_record(path: RelPath) -> bool:
    """Return whether a path in `.scaffold/` belongs to the project."""
    folders = (f"{RECORDS}/base/", f"{RECORDS}/imported/", f"{PACK}/", f"{ORIGINALS}/")
    return path in (LOCK, IGNORE, LAST_SPEC, SCHEMA, SOURCE) or path.startswith(folders)
