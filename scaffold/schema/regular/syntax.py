"""The syntax tree of an ECMA-262 pattern, which knows how Python writes the same pattern."""

from __future__ import annotations

from msgspec import Struct

from scaffold.schema.regular.characters import Ranges, written


class Characters(Struct, frozen=True):
    """A character from a set."""

    ranges: Ranges

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return written(self.ranges)


class Assertion(Struct, frozen=True):
    """An assertion about a position, such as the end of the text."""

    source: str


class Reference(Struct, frozen=True):
    """A back-reference to the text of a group."""

    source: str


class Sequence(Struct, frozen=True):
    """A sequence of parts."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return "".join(part.source for part in self.parts)


class Choice(Struct, frozen=True):
    """A choice between parts."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return "|".join(part.source for part in self.parts)


class Group(Struct, frozen=True):
    """A part in parentheses; `opening` is `(`, `(?:` or that of a look around."""

    opening: str
    body: Node

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return f"{self.opening}{self.body.source})"

    @property
    def looks(self) -> bool:
        """Return whether it looks around and consumes nothing."""
        return self.opening not in ("(", "(?:")


class Repeated(Struct, frozen=True):
    """A repeated part; `most` is None if there is no limit."""

    body: Node
    quantifier: str
    least: int
    most: int | None

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return f"{self.body.source}{self.quantifier}"


Node = Characters | Assertion | Reference | Sequence | Choice | Group | Repeated
