"""The words of a Dockerfile's instructions: quotes, escapes and variables, as Docker reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

_BRACED = re.compile(r"(?P<name>\w+)(?:(?P<operator>:?[-+?])(?P<other>.*))?", re.DOTALL)


class Value(NamedTuple):
    """A text without its quotes, with its variables expanded.

    The text is None if it has a variable that the Dockerfile does not set. It is not fixed if a
    build argument can change it.
    """

    text: str | None
    is_fixed: bool = True


Variables = Mapping[str, Value]


def split(text: str, escape: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words in a text, as they are written."""
    return (found.span() for found in _word(escape).finditer(text))


def expanded(written: str, escape: str, variables: Variables, *, quoted: bool = False) -> Value:
    """Return the value of what is written; `quoted` is for a text between double quotes."""
    values = [
        _part(found, escape, variables) for found in _grammar(escape, quoted).finditer(written)
    ]
    texts = [value.text for value in values if value.text is not None]
    whole = "".join(texts) if len(texts) == len(values) else None
    return Value(whole, all(value.is_fixed for value in values))


def _part(found: re.Match[str], escape: str, variables: Variables) -> Value:
    text = found[0]
    match found.lastgroup:
        case "literal":
            return Value(text.strip("'"))
        case "double":
            return expanded(text[1:].removesuffix('"'), escape, variables, quoted=True)
        case "escaped":
            return Value(text[1:])
        case "braced":
            return _braced(text[2:-1], escape, variables)
        case "named":
            return variables.get(text[1:], Value(None))
    return Value(text)


def _braced(inner: str, escape: str, variables: Variables) -> Value:
    """Return the value of `${…}`: of a name, or of one with `:-`, `:+` and the like."""
    found = _BRACED.fullmatch(inner)
    if not found:
        return Value(None)
    operator, value = found["operator"] or "", variables.get(found["name"])
    is_set = value is not None and not (operator.startswith(":") and value.text == "")
    if operator.endswith("-") and not is_set:
        other = expanded(found["other"], escape, variables)
        return Value(other.text, other.is_fixed and value is None)
    if operator.endswith("+"):
        return expanded(found["other"], escape, variables) if is_set else Value("")
    return value or Value(None)


@cache
def _word(escape: str) -> re.Pattern[str]:
    """Return the pattern of a word; its groups have no names."""
    part = re.sub(r"\?P<\w+>", "?:", _grammar(escape, False).pattern)
    return re.compile(rf"(?:(?!\s)(?:{part}))+", re.DOTALL)


@cache
def _grammar(escape: str, quoted: bool) -> re.Pattern[str]:
    """Return the pattern of a part of a text; between double quotes, single ones mean nothing."""
    e = re.escape(escape)
    quotes = rf"(?P<literal>'[^']*'?)|(?P<double>\"(?:[^\"{e}]|{e}.)*\"?)|(?P<escaped>{e}.)"
    first = rf"(?P<escaped>{e}[{e}\"$])" if quoted else quotes
    others = r"|(?P<braced>\$\{(?:[^{}]|\$\{[^{}]*\})*\})|(?P<named>\$\w+)|(?P<plain>.)"
    return re.compile(first + others, re.DOTALL)
