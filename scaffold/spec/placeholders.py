"""Parse texts with `{name}` placeholders, as in messages of errors and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


BRACES = "write `{name}` for a value, and `{{` and `}}` for literal braces"
"""A hint that explains the syntax of placeholders."""


class Literal(NamedTuple):
    """Literal text."""

    text: str


class Placeholder(NamedTuple):
    """A name in braces, to be replaced with a value."""

    name: str


def parts(text: str) -> Iterator[Literal | Placeholder]:
    """Yield the literals and placeholders of a text, in order; `{{` and `}}` are literal braces.

    Raises ValueError, with a message for users, if a brace is unmatched or empty.
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
            raise ValueError("a placeholder has no name" if mark[0] == "{}" else "unmatched brace")
        if literal:
            yield Literal(literal)
        yield Placeholder(mark[1])
        literal = ""
    if literal := literal + text[done:]:
        yield Literal(literal)


def placeholders(text: str) -> tuple[str, ...]:
    """Return the unique names in braces, in order. Raises ValueError as `parts` does."""
    return tuple(dict.fromkeys(p.name for p in parts(text) if isinstance(p, Placeholder)))


def read_names(text: str) -> tuple[list[str], str | None]:
    """Return the names in braces and None, or an empty list and the first error."""
    try:
        return list(placeholders(text)), None
    except ValueError as error:
        return [], str(error)
