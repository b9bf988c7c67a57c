"""Template filters that escape free text for Python string literals and docstrings."""

from __future__ import annotations

import inspect
import re

from scaffold.base.data import unwrapped
from scaffold.base.text import Filters, Text, opened, visible, wrapped
from scaffold.languages.python.names import identifiers
from scaffold.languages.python.types.expressions import literal, quoted


def py(value: object) -> str:
    """Return a literal in the style of `ruff format` of a text, or of data of the spec."""
    return (
        quoted(opened(value)) if isinstance(value, Text | str) else str(literal(unwrapped(value)))
    )


def identifier(text: Text | str) -> str:
    """Return a name in snake_case made of the words of a text; two texts can have the same."""
    raw = opened(text)
    return identifiers([raw], "value")[raw].function


def doc(text: Text | str, indent: int = 4, width: int = 88) -> str:
    """Return the content of a docstring whose quotes are indented by `indent` columns.

    The result has the same words and paragraphs as the text. All whitespace becomes plain spaces,
    trailing whitespace is removed, and lines longer than `width` columns are wrapped. If the
    content has several lines, the closing quotes go on their own line.
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


FILTERS: Filters = {"py": py, "doc": doc, "identifier": identifier}
