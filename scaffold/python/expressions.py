"""Python expressions as values."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same answer on every Python

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PLAIN = re.compile(r"[ !#-\[\]-~]*")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Letters, marks and symbols that show nothing.
_INVISIBLE = re.compile(
    "[\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0]"
)


@dataclass(frozen=True, slots=True)
class Brackets:
    """A call, subscript or display: `head` `open` items, comma, items … and the closing bracket.

    A head that is brackets itself makes `Generic[type](argument)`.
    """

    head: str | Brackets
    open: str
    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.head}{self.open}{', '.join(map(str, self.items))}{_CLOSING[self.open]}"


@dataclass(frozen=True, slots=True)
class Union:
    """Expressions joined by `|`: two or more."""

    members: tuple[Expression, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))


@dataclass(frozen=True, slots=True)
class Labelled:
    """An expression inside brackets behind a label: `"key": ` or `keyword=`."""

    label: str
    value: Expression

    def __str__(self) -> str:
        return f"{self.label}{self.value}"


Expression = str | Brackets | Union | Labelled
"""A piece of Python; `str(expression)` is its source on one line. A str stands for itself."""


def subscript(head: str, *items: Expression) -> Brackets:
    """`head[items]`."""
    return Brackets(head, "[", items)


def literal(value: object) -> Expression:
    """A JSON value (None, bool, int, finite float, str, list or dict of such) as a literal."""
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
    """A string literal that means `text`, in the quotes that `ruff format` prefers.

    Letters, digits, punctuation and symbols stay as they are; what a reader could not see, or what
    an editor might normalise to something else, is escaped. `text` must hold no surrogates.
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
    """Whether a character can be seen, by every version of Unicode."""
    if character.isascii():
        return character.isprintable()
    if unicode.category(character)[0] in "LMNPS":
        return not _INVISIBLE.match(character)
    return _is_emoji(character)


def _is_emoji(character: str) -> bool:
    """Whether this is an emoji of Unicode 14; they are all younger than 3.2."""
    return unicodedata.east_asian_width(character) == "W" and (
        "\U0001f300" <= character <= "\U0001f6d2" or "\U0001f900" <= character <= "\U0001f9ff"
    )


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
