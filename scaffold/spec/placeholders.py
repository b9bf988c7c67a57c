"""Text with names in braces, as error and prompt messages have it, in its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class Literal(NamedTuple):
    """Text that stands for itself."""

    text: str


class Placeholder(NamedTuple):
    """A name in braces, which stands for a value."""

    name: str


def parts(text: str) -> Iterator[Literal | Placeholder]:
    """The literals and placeholders of a text, in order; `{{` and `}}` are braces themselves.

    Raises ValueError, with a message for people, where a brace stands alone or names nothing.
    """
    literal = ""
    done = 0
    for mark in _MARK.finditer(text):
        literal += text[done : mark.start()]
        done = mark.end()
        if mark[0] in ("{{", "}}"):
            literal += mark[0][0]
            continue
        if not mark[1]:
            raise ValueError("empty braces name nothing" if mark[0] == "{}" else "a brace is alone")
        if literal:
            yield Literal(literal)
        yield Placeholder(mark[1])
        literal = ""
    if literal := literal + text[done:]:
        yield Literal(literal)


def placeholders(text: str) -> tuple[str, ...]:
    """The names in braces, each once, in order. Raises ValueError as `parts` does."""
    return tuple(dict.fromkeys(p.name for p in parts(text) if isinstance(p, Placeholder)))
