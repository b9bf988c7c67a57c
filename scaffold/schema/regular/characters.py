"""Sets of characters, as sorted ranges of code points."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import jsonschema_rs

LAST = 0x10FFFF
Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
DOT: Ranges = ((0, 0x09), (0x0B, LAST))
ALL: Ranges = ((0, LAST),)

_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\f": "f", "\v": "v"}

PROPERTY = re.compile(
    "C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
    "|((Cased_|Lowercase_|Modifier_|Other_|Titlecase_|Uppercase_)?Letter)"
    "|((Decimal_|Letter_|Other_)?Number)|((Spacing_|Enclosing_|Nonspacing_)?Mark)"
    "|((Connector_|Dash_|Close_|Final_|Initial_|Other_|Open_)?Punctuation)"
    "|((Currency_|Modifier_|Math_|Other_)?Symbol)|((Line_|Paragraph_|Space_)?Separator)"
    "|Any|ASCII|Alphabetic|Emoji|Uppercase|Lowercase|White_Space|X?ID_(Start|Continue)"
    "|(Script|sc|Script_Extensions|scx|General_Category|gc)=[A-Za-z_]+"
)
"""Common properties in `\\p{…}` (ECMA-262, tables 67 to 69)."""


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges in order, without overlaps."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = result[-1][0], max(high, result[-1][1])
        else:
            result.append((low, high))
    return tuple(result)


def without(ranges: Ranges) -> Ranges:
    """Return the complement of some ranges."""
    result, at = [], 0
    for low, high in ranges:
        if at < low:
            result.append((at, low - 1))
        at = high + 1
    return (*result, (at, LAST)) if at <= LAST else tuple(result)


@cache
def of_property(name: str) -> Ranges:
    """Return the characters with a property of Unicode, as the engine of JSON Schema knows them.

    So they do not depend on the version of Python that generates.
    """
    every, none = (
        jsonschema_rs.Draft202012Validator({"pattern": rf"^\{letter}{{{name}}}*$"}, offline=True)
        for letter in "pP"
    )
    ranges: list[tuple[int, int]] = []
    waiting = [(0xE000, LAST), (0, 0xD7FF)]
    while waiting:
        low, high = waiting.pop()
        text = "".join(map(chr, range(low, high + 1)))
        if none.is_valid(text):
            continue
        if every.is_valid(text):
            ranges.append((low, high))
            continue
        middle = (low + high) // 2
        waiting += [(middle + 1, high), (low, middle)]
    return joined(ranges)


def written(ranges: Ranges) -> str:
    """Return ranges as a pattern of Python's `re` for one of their characters."""
    if ranges == DOT:
        return "."
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _sign(ranges[0][0], r"[\[\]\\^$.*+?(){}|]")
    inside, outside = _in_class(ranges), _in_class(without(ranges))
    if not inside or not outside:
        return r"[\s\S]" if inside else r"[^\s\S]"
    return f"[^{outside}]" if len(outside) < len(inside) else f"[{inside}]"


def _in_class(ranges: Ranges) -> str:
    special = r"[\[\]\\^&~|-]"  # Python warns of some that follow each other.
    texts = ((_sign(low, special), high - low, _sign(high, special)) for low, high in ranges)
    return "".join(
        low if more == 0 else f"{low}{'-' * (more > 1)}{high}" for low, more, high in texts
    )


def _sign(code: int, special: str) -> str:
    """Return a character with a backslash if it is special, or with an escape if it is not plain."""
    sign = chr(code)
    if 0x20 <= code < 0x7F:
        return re.sub(special, r"\\\g<0>", sign)
    if sign in _ESCAPES:
        return f"\\{_ESCAPES[sign]}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
