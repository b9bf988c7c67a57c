"""Searches for strings by patterns that are remembered, and that end if too many are hard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from scaffold.breaking.schemas.strings import UndecidedError, find_strings

_MOST_UNDECIDED = 6
"""The searches without an answer after which no others are tried."""
_FEW = 3


@dataclass
class Texts:
    """Searches that are remembered; `undecided` are those without an answer for the tool at hand."""

    undecided: int = 0
    _found: dict[tuple[object, ...], tuple[list[str], bool]] = field(default_factory=dict)

    @property
    def is_exhausted(self) -> bool:
        """Whether no others are tried."""
        return self.undecided >= _MOST_UNDECIDED

    def exists(
        self, matching: Sequence[str], refused: str | None, least: int, most: int | None
    ) -> bool:
        """Return whether `find_strings` finds a string. Raises UndecidedError."""
        return next(self.find(matching, refused, least, most, 1), None) is not None

    def find(
        self,
        matching: Sequence[str],
        refused: str | None,
        least: int = 0,
        most: int | None = None,
        count: int = _FEW,
    ) -> Iterator[str]:
        """Yield the first strings that `find_strings` finds. Raises UndecidedError."""
        key = tuple(matching), refused, least, most, count
        if key not in self._found:
            if self.is_exhausted:
                raise UndecidedError
            self._found[key] = self._searched(matching, refused, least, most, count)
        found, is_decided = self._found[key]
        yield from found
        if not is_decided:
            raise UndecidedError

    def _searched(
        self,
        matching: Sequence[str],
        refused: str | None,
        least: int,
        most: int | None,
        count: int,
    ) -> tuple[list[str], bool]:
        found: list[str] = []
        try:
            found.extend(islice(find_strings(matching, refused, least, most), count))
        except UndecidedError:
            self.undecided += 1
            return found, False
        return found, True
