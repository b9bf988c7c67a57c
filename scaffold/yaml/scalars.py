"""Convert YAML scalars to JSON values by the core schema of YAML 1.2 (10.3.2)."""

from __future__ import annotations

import math
import re

from scaffold.base.diagnostics.wording import quote

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")

_QUOTE = "quote it if it is text"

PAIR = re.compile(
    r"(?P<before>(?<!\\)(?:\\\\)*)"
    r"(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
"""The escapes of a surrogate pair, as JSON has them for characters beyond U+FFFF."""

_MOVED = re.compile("([\ue800-\uebff])([\uec00-\uefff])")
_MOVED_ESCAPES = re.compile(r"\\u[eE][89abAB][0-9a-fA-F]{2}\\u[eE][c-fC-F][0-9a-fA-F]{2}")

MAX_INTEGER_DIGITS = 308
"""The maximum digits of an integer. Longer ones overflow a double in most JSON parsers."""


class ScalarError(ValueError):
    """A scalar that is not a JSON value; `args` are the message and the hint."""


def plain(text: str) -> Scalar:
    """Return the value of an unquoted scalar.

    Raises ScalarError for numbers that JSON cannot represent or that parsers read differently:
    not finite, too large, too small, or with leading zeros.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-.":
        return text
    if _LEADING_ZERO.match(text) and _FLOAT.fullmatch(text):
        raise ScalarError(
            f"{quote(text, 40)} begins with a zero, which JSON numbers cannot",
            "quote it if it is text, or remove the zeros",
        )
    if _INTEGER.fullmatch(text):
        if len(text) > MAX_INTEGER_DIGITS:
            raise ScalarError(f"an integer of {len(text)} digits is too long for JSON", _QUOTE)
        return int(text, 0) if text[1:2] in "ox" else int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number) or (number == 0 and re.search("[1-9]", re.split("[eE]", text)[0])):
            raise ScalarError(f"JSON cannot represent the number {quote(text, 40)}", _QUOTE)
        return number
    if _NOT_FINITE.fullmatch(text):
        raise ScalarError(f"JSON cannot represent `{text}`", _QUOTE)
    return text


def tagged(text: str, tag: str) -> Scalar:
    """Return the value of a scalar tagged `!!str`, `!!null`, `!!bool`, `!!int` or `!!float`.

    Raises ScalarError if the text does not match its tag.
    """
    if tag == "str":
        return text
    value = plain(text)
    if tag == "float" and type(value) is int:
        return float(value)
    if type(value).__name__ != {"null": "NoneType"}.get(tag, tag):
        raise ScalarError(f"{quote(text, 40)} does not match its tag `!!{tag}`", "remove the tag")
    return value


def without_pairs(text: str) -> str:
    r"""Return a text with the escapes of surrogate pairs moved to the private use area.

    libyaml refuses `\ud83d\ude00`, so it reads `\ue83d\uee00`. All offsets stay the same.
    """
    return PAIR.sub(lambda match: match["before"] + _moved(match["pair"], 1), text)


def restored(text: str, *, is_escaped: bool) -> str:
    """Return the text of a scalar as it was before `without_pairs`.

    In double quotes, where backslashes escape, a pair is a character; elsewhere it is text.
    """
    if not is_escaped:
        return _MOVED_ESCAPES.sub(lambda match: _moved(match[0], -1), text)
    return _MOVED.sub(
        lambda m: chr(0x10000 + ((ord(m[1]) & 0x3FF) << 10) + (ord(m[2]) & 0x3FF)), text
    )


def _moved(pair: str, by: int) -> str:
    """Return the escapes of a pair with both first digits changed, `d` to `e` or back."""
    return f"{pair[:2]}{chr(ord(pair[2]) + by)}{pair[3:8]}{chr(ord(pair[8]) + by)}{pair[9:]}"
