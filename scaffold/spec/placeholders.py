"""Texts with names in braces, as in the messages of errors and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


BRACES = "write `{name}` for a value, and `{{` and `}}` for braces themselves"
"""How placeholders are written, as a hint."""


class Literal(NamedTuple):
    """Text that stands for itself."""

    text: str


class Placeholder(NamedTuple):
    """A name in braces, which stands for a value."""

    name: str


def parts(text: str) -> Iterator[Literal | Placeholder]:
    """Yield the literals and placeholders of a text, in order; `{{` and `}}` are braces themselves.

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
    """Return the names in braces, each once, in order. Raises ValueError as `parts` does."""
    return tuple(dict.fromkeys(p.name for p in parts(text) if isinstance(p, Placeholder)))


def read_names(text: str) -> tuple[list[str], str | None]:
    """Return the names in braces, and what is wrong with the first brace that cannot be read."""
    try:
        return list(placeholders(text)), None
    except ValueError as error:
        return [], str(error)
