"""Diagnostics as values: what is wrong, where, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

FAULTS = 100
"""The maximum number of errors reported for one file."""


class Severity(StrEnum):
    """The severity of a diagnostic: errors stop the run, warnings do not, and notes need no action."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Place(Struct, frozen=True, omit_defaults=True):
    """A span in one line of a file. Lines and columns count from 1.

    `path` is the file as the user named it. `length` is at least 1. `excerpt` is the line without
    its newline, or a part of a very long line that begins at `excerpt_column`. A place without
    `line` is the whole file.
    """

    path: str
    line: int | None = None
    column: int | None = None
    length: int = 1
    excerpt: str | None = None
    excerpt_column: int = 1


class Related(Struct, frozen=True):
    """A second place that a diagnostic is about, with a message."""

    place: Place
    message: str


class Edit(NamedTuple):
    """A replacement for the part of a text from `start` up to `end`, counted in characters."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """The edit of a text with `\\n` line ends that fixes a problem.

    `pointer` is the JSON Pointer of the edited value, after the edit.
    """

    edit: Edit
    pointer: str


class Diagnostic(Struct, frozen=True, omit_defaults=True):
    """A finding.

    `id` is stable and documented. `pointer` is the JSON Pointer (RFC 6901) of the value, if there
    is one. `hint` says how to fix it. `fix` is the edit that `validate --fix` makes, if exactly one
    fix is certain. `notes` are further facts, each a label and a text.
    """

    id: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR
    pointer: str | None = None
    related: Related | None = None
    fix: Fix | None = None
    notes: tuple[tuple[str, str], ...] = ()


class ScaffoldError(Exception):
    """The run cannot continue; holds every diagnostic found, sorted by place."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = in_order(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))

    @classmethod
    def of(
        cls, id: str, message: str, where: Place | Path | str, hint: str | None = None
    ) -> ScaffoldError:
        """Return an error with a single diagnostic; `where` is a place or a file."""
        place = where if isinstance(where, Place) else Place(str(where))
        return cls([Diagnostic(id, message, place, hint)])


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics sorted by file, line and column. The sort is stable."""

    def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
        where = diagnostic.place
        return (where.path, where.line or 0, where.column or 0) if where else ("", 0, 0)

    return tuple(sorted(diagnostics, key=place))


def refusal(diagnostics: Sequence[Diagnostic], name: str) -> ScaffoldError:
    """Return the error for a file, with a note if the search stopped at `FAULTS` errors."""
    if len(diagnostics) < FAULTS:
        return ScaffoldError(diagnostics)
    more = Diagnostic(
        "many-faults",
        f"more than {FAULTS} errors; only the first are shown",
        Place(name),
        "fix these, then check again",
    )
    return ScaffoldError([more, *diagnostics])
