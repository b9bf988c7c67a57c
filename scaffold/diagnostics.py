"""What is wrong with an input, where, and how to mend it, as values that any printer can draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
class Diagnostic:
    """One finding.

    `id` is stable and documented; `pointer` is the JSON Pointer (RFC 6901) of the value concerned
    where there is one; `hint` tells how to mend it.
    """

    id: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR
    pointer: str | None = None


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
