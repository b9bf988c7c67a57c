"""Python expressions as values."""

from __future__ import annotations

import re
import unicodedata
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same result on every Python

from msgspec import Struct

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PLAIN = re.compile(r"[ !#-\[\]-~]*")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Invisible letters, marks and symbols.
_INVISIBLE = re.compile(
    "[\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0]"
)


class Brackets(Struct, frozen=True):
    """A call, subscript or display: a head and comma-separated items in brackets.

    The head can be `Brackets` too, as in `Generic[type](argument)`.
    """

    head: str | Brackets
    open: str
    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.head}{self.open}{', '.join(map(str, self.items))}{_CLOSING[self.open]}"


class Union(Struct, frozen=True):
    """Two or more expressions joined by `|`."""

    members: tuple[Expression, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))


class Labelled(Struct, frozen=True):
    """A labeled expression inside brackets; the label is `"key": ` or `keyword=`."""

    label: str
    value: Expression

    def __str__(self) -> str:
        return f"{self.label}{self.value}"


class Quoted(Struct, frozen=True):
    """A type that is written as a string, and so can refer to later definitions."""

    type: Expression

    def __str__(self) -> str:
        return quoted(str(self.type))


Expression = str | Brackets | Union | Labelled | Quoted
"""A Python expression; `str(expression)` is its source on one line. A str is source."""


def subscript(head: str, *items: Expression) -> Brackets:
    """Return `head[items]`."""
    return Brackets(head, "[", items)


def literal(value: object) -> Expression:
    """Return the literal of a JSON value. Floats must be finite."""
    match value:
        case dict():
            items = (Labelled(f"{quoted(key)}: ", literal(item)) for key, item in value.items())
            return Brackets("", "{", tuple(items))
        case list() | tuple():
            return Brackets("", "[", tuple(literal(item) for item in value))
        case str():
            return quoted(value)
        case float():
            return repr(value).replace("e+", "e")
        case _:
            return repr(value)


def quoted(text: str) -> str:
    """Return a string literal for `text`, in the quotes that `ruff format` prefers.

    Visible characters are kept. Invisible characters are escaped, and so are those an editor might
    normalize. `text` must not contain surrogates.
    """
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    normal = unicode.is_normalized("NFC", text)
    escaped = (
        _ESCAPES.get(c)
        or (f"\\{c}" if c == quote else None)
        or (c if _is_kept(c) and (normal or c.isascii()) else _escape(c))
        for c in text
    )
    return f"{quote}{''.join(escaped)}{quote}"


def _is_kept(character: str) -> bool:
    """Return whether a character is visible in every version of Unicode."""
    if character.isascii():
        return character.isprintable()
    if unicode.category(character)[0] in "LMNPS":
        return not _INVISIBLE.match(character)
    return _is_emoji(character)


def _is_emoji(character: str) -> bool:
    """Return whether this is an emoji of Unicode 14, newer than Unicode 3.2."""
    return unicodedata.east_asian_width(character) == "W" and (
        "\U0001f300" <= character <= "\U0001f6d2" or "\U0001f900" <= character <= "\U0001f9ff"
    )


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
