"""Diagnostics as values: what is wrong, where, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

FAULTS = 100
"""The most errors that are reported for one file."""


class Severity(StrEnum):
    """How bad a diagnostic is: an error stops the run, a warning never does."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one line of a file, as editors count: lines and columns from 1.

    `path` is the file as the user named it. `length` is the number of characters concerned, at
    least 1. `excerpt` is the line, without its line end; of a very long line it is the part around
    the place, and `excerpt_column` is the column at which that part begins. A place without `line`
    is the file.
    """

    path: str
    line: int | None = None
    column: int | None = None
    length: int = 1
    excerpt: str | None = None
    excerpt_column: int = 1


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a diagnostic is about, and what there is to say of it."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `id` is stable and documented. `pointer` is the JSON Pointer (RFC 6901) of the value concerned,
    if there is one. `hint` says how to fix it.
    """

    id: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR
    pointer: str | None = None
    related: Related | None = None


class ScaffoldError(Exception):
    """The run cannot go on; carries every diagnostic found, sorted by place."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = in_order(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by file, line, column; equal places keep the order in which they were found."""

    def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
        where = diagnostic.place
        return (where.path, where.line or 0, where.column or 0) if where else ("", 0, 0)

    return tuple(sorted(diagnostics, key=place))


def refusal(found: Sequence[Diagnostic], name: str) -> ScaffoldError:
    """Return the error for a file; it says so if the search ended after `FAULTS` errors."""
    if len(found) < FAULTS:
        return ScaffoldError(found)
    more = Diagnostic(
        "many-faults",
        f"there are more than {FAULTS} faults, of which these are the first that were found",
        Place(name),
        "mend these, and look again",
    )
    return ScaffoldError([more, *found])
