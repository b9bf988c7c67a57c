"""Filters that quote free text of a spec in Python: as a string literal, or in a docstring."""

from __future__ import annotations

import inspect
import re

from scaffold.python.expressions import quoted
from scaffold.text import Text, opened, visible, wrapped


def py(text: Text | str) -> str:
    """A Python string literal in the style of `ruff format`; `ast.literal_eval` gives the text."""
    return quoted(opened(text))


def doc(text: Text | str, indent: int = 4, width: int = 88) -> str:
    """The inside of a Python docstring whose quotes stand `indent` columns from the left.

    `inspect.cleandoc` of the docstring gives that of the stripped text, with plain blanks for all
    kinds of blank, none at line ends, and lines that pass `width` columns broken at blanks: the
    same words in the same paragraphs. With more than one line the closing quotes have a line of
    their own.
    """
    lines = re.sub("\r\n?", "\n", opened(text)).expandtabs(4)
    lines = inspect.cleandoc(re.sub(r"[^\S\n]", " ", lines)).rstrip()
    escaped = visible(lines.replace("\\", "\\\\"), keep="\n")
    escaped = re.sub('^"|"""|"$', lambda quotes: '\\"' * len(quotes[0]), escaped)
    first, *rest = escaped.split("\n")
    parts = wrapped(first, width - indent, before=6)
    parts += [part for line in rest for part in wrapped(line, width - indent)]
    first, *rest = inspect.cleandoc("\n".join(parts)).split("\n")
    if not rest:
        return first or " "
    margin = "\n" + " " * indent
    return first + "".join(margin + line if line else "\n" for line in rest) + margin
