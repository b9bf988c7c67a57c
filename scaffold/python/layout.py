"""Python expressions as values, into source laid out as `ruff format` leaves it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same answer on every Python

LINE_LENGTH = 88
INDENT = 4

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PLAIN = re.compile(r"[ !#-\[\]-~]*")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Where Unicode 3.2 is not the last word: letters and symbols that show nothing, or whose width has
# changed since, or which ruff counts in a way of its own (measured, character by character).
_UNSURE = re.compile(
    "[\\xad\\u034f\\u06de\\u1100-\\u11ff\\u17a4\\u17b4\\u17b5\\u17d8\\u180b-\\u180d\\u1885\\u1886"
    "\\u231a\\u231b\\u25fd\\u25fe\\u2630-\\u2637\\u2648-\\u2653\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0"
    "\\U0001d100-\\U0001d1ff]"
)
_ZERO_WIDTH = re.compile(  # vowel signs of Indian scripts, voice marks of halfwidth kana
    "[\\u09be\\u09d7\\u0b3e\\u0b57\\u0bbe\\u0bd7\\u0cc0\\u0cc2\\u0cc7\\u0cc8\\u0cca\\u0ccb\\u0cd5\\u0cd6\\u0d3e"
    "\\u0d57\\u0dcf\\u0ddf\\uff9e\\uff9f]"
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


def call(function: str, *arguments: Expression, **keywords: Expression) -> Brackets:
    """`function(arguments, keyword=value)`."""
    labelled = (Labelled(f"{keyword}=", value) for keyword, value in keywords.items())
    return Brackets(function, "(", (*arguments, *labelled))


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


def statement(head: str, expression: Expression, indent: int = 0) -> str:
    """Lay out `head` and the expression that ends it: an assignment, annotation, `return` ….

    The first line is not indented, so that a template can place it; the others are, by `indent`.
    What is too long for its line is split at its brackets, or parenthesised.
    """
    inner = indent + INDENT
    fits_inside = inner + width(str(expression)) <= LINE_LENGTH
    if _fits(expression, indent, width(head), 0) or isinstance(expression, Brackets | Labelled):
        return head + lay(expression, indent, before=width(head))
    if isinstance(expression, str) and not fits_inside:
        return head + expression
    return f"{head}({_line(inner)}{lay(expression, inner)}{_line(indent)})"


def lay(expression: Expression, indent: int = 0, before: int = 0, after: int = 0) -> str:
    """Lay out an expression that stands in brackets, or can be split at brackets of its own.

    `indent` is that of the line in which it starts, `before` and `after` the width of what else
    stands on that line in front of it, and on its last line behind it. Lines after the first carry
    their indent.
    """
    if _fits(expression, indent, before, after):
        return str(expression)
    match expression:
        case Brackets(head, open_, items) if items:
            inner = indent + INDENT
            comma = "," if len(items) > 1 else ""
            start = head if isinstance(head, str) else lay(head, indent, before, after=1)
            *split, end = start.rsplit("\n", 1)
            last = Brackets(end.lstrip(), open_, items)
            if split and not comma and _fits(last, indent, 0, after):
                return f"{split[0]}{_line(indent)}{last}"
            laid = (lay(item, inner, after=len(comma)) + comma for item in items)
            body = _line(inner) + _line(inner).join(laid)
            return f"{start}{open_}{body}{_line(indent)}{_CLOSING[open_]}"
        case Union((first, *between, last)):
            lines = [f"| {lay(member, indent, before=2)}" for member in between]
            lines.append(f"| {lay(last, indent, before=2, after=after)}")
            return _line(indent).join([lay(first, indent, before), *lines])
        case Labelled(label, value):
            return label + lay(value, indent, before + width(label), after)
    return str(expression)


def imports(module: str, names: Iterable[str]) -> str:
    """`from module import names`: constants, then classes, then others, each sorted; or nothing."""
    ordered = sorted(
        set(names), key=lambda name: (not name.isupper(), name.islower(), natural(name))
    )
    if not ordered:
        return ""
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= LINE_LENGTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])


def natural(name: str) -> list[str | int]:
    """A sort key that puts `X2` before `X10`, whatever the case, as ruff does."""
    parts = re.split(r"(\d+)", name.lower())
    return [int(part) if part.isdigit() else part for part in parts]


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


def width(text: str) -> int:
    """The columns that `ruff format` counts for a text of characters that `quoted` keeps."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if _ZERO_WIDTH.match(character) or unicode.category(character) in ("Mn", "Me"):
        return 0
    wide = unicode.east_asian_width(character) in "WF" or _is_emoji(character)
    return 2 if wide else 1


def _is_kept(character: str) -> bool:
    """Whether a character can be seen, and has the same width in every version of Unicode."""
    if character.isascii():
        return character.isprintable()
    if unicode.category(character)[0] in "LMNPS":
        return not _UNSURE.match(character)
    return _is_emoji(character)


def _is_emoji(character: str) -> bool:
    """Whether this is an emoji of Unicode 14 that takes two columns; all are younger than 3.2."""
    return unicodedata.east_asian_width(character) == "W" and (
        "\U0001f300" <= character <= "\U0001f6d2" or "\U0001f900" <= character <= "\U0001f9ff"
    )


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _fits(expression: Expression, indent: int, before: int, after: int) -> bool:
    return indent + before + width(str(expression)) + after <= LINE_LENGTH


def _line(indent: int) -> str:
    return "\n" + " " * indent
