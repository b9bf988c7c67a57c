"""Convert YAML scalars to JSON values by the core schema of YAML 1.2 (10.3.2)."""

from __future__ import annotations

import math
import re

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
_JSON = re.compile(r"null|true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")

_QUOTE = "quote it if it is text"

LONGEST_INTEGER = 308
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
            f"`{_short(text)}` begins with a zero, which JSON numbers cannot",
            "quote it if it is text, or remove the zeros",
        )
    if _INTEGER.fullmatch(text):
        if len(text) > LONGEST_INTEGER:
            raise ScalarError(f"an integer of {len(text)} digits is too long for JSON", _QUOTE)
        return int(text, 0) if text[1:2] in "ox" else int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number) or (number == 0 and re.search("[1-9]", re.split("[eE]", text)[0])):
            raise ScalarError(f"JSON cannot represent the number `{_short(text)}`", _QUOTE)
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
        raise ScalarError(f"`{_short(text)}` does not match its tag `!!{tag}`", "remove the tag")
    return value


def is_json(text: str) -> bool:
    """Return whether an unquoted scalar is JSON: a number, `true`, `false` or `null`."""
    return _JSON.fullmatch(text) is not None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
