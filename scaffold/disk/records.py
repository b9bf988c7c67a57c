"""Paths in a project's `.scaffold/`, where no template may write."""

from __future__ import annotations

from collections.abc import Mapping

from scaffold.base.files import RECORDS, RelPath

# What we wrote last: committed with the project.
LOCK = RelPath(".scaffold/lock.json")
LAST_SPEC = RelPath(".scaffold/mcp.yaml")
BASES = RelPath(".scaffold/bases.bin")
SCHEMA = RelPath(".scaffold/mcp.schema.json")

# State of the current run: in a folder that git ignores.
RUN = RelPath(".scaffold/run")
RUN_LOCK = RelPath(f"{RUN}/lock")
JOURNAL = RelPath(f"{RUN}/journal.json")
STAGE = RelPath(f"{RUN}/stage")
REPLACED = RelPath(f"{RUN}/replaced")

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
