r"""Parse patterns into syntax trees, and reject those on which engines disagree.

JSON Schema patterns follow ECMA-262 (2020-12 core, 6.4). The engine of the generated servers
differs slightly from that. Only patterns that it reads as ECMA-262 does are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from scaffold.schema.regular import characters
from scaffold.schema.regular.characters import Ranges
from scaffold.schema.regular.syntax import (
    Assertion,
    Characters,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)

_ESCAPE = re.compile(
    r"\\(?:(?P<property>[pP])\{(?P<name>[^}]*)\}|u\{(?P<long>[0-9a-fA-F]{1,6})\}"
    r"|u(?P<short>[0-9a-fA-F]{4})|x(?P<hex>[0-9a-fA-F]{2})|c(?P<control>[A-Za-z])"
    r"|(?P<number>[1-9][0-9]*)|(?P<odd>x\{[^}]*\}?)|(?P<sign>[\s\S]))"
)
_QUANTIFIER = re.compile(r"([*+?]|\{([0-9]+)(,?)([0-9]*)\})(\??)")
_GROUP = re.compile(r"\((?:\?(?::|=|!|<=|<!|<[^\W\d]\w*>)|(?!\?))")
_ODD_GROUP = re.compile(r"\(\?(?:P?[<>=]|[a-z-]+[:)]?|.)?", re.DOTALL)
_SIGNS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_CLASSES: dict[str, Ranges] = {
    "d": characters.DIGITS,
    "w": characters.WORD,
    "s": characters.SPACE,
}
_INSTEAD = {
    "A": "`^`",
    "Z": "`$`",
    "z": "`$`",
    "h": r"`[ \t]`",
    "H": r"`[^ \t]`",
    "R": r"`(?:\r\n|[\n\r])`",
    "N": r"`[^\n]`",
    "a": r"`\x07`",
    "e": r"`\x1b`",
    "0": r"`\x00`",
    "b": r"`\x08`",
    "k": r"`\1`, the number of the group",
}


class PatternError(Exception):
    """A pattern on which engines disagree: the reason, and what to write instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def parsed(pattern: str, of_property: Callable[[str], Ranges] = characters.of_property) -> Node:
    """Return the tree of a pattern; raises PatternError.

    `of_property` returns the characters with a property of Unicode, which takes some time.
    """
    reader = _Reader(pattern, of_property)
    tree = reader.choice()
    if reader.at < len(pattern):
        raise PatternError("unmatched `)`", r"write `\)` to match `)`")
    return tree


class _Reader:
    """A pattern and the position of the parser in it."""

    def __init__(self, pattern: str, of_property: Callable[[str], Ranges]) -> None:
        self.pattern = pattern
        self.at = 0
        self._of_property = of_property

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def choice(self) -> Node:
        parts = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while (sign := self._next()) and sign not in "|)":
            parts.append(self._repeated(self._part()))
        for place, (part, after) in enumerate(pairwise(parts)):
            if isinstance(part, Reference) and after.source[0].isdigit():
                parts[place] = Reference(f"(?:{part.source})")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, part: Node) -> Node:
        match = _QUANTIFIER.match(self.pattern, self.at)
        if not match:
            return part
        if isinstance(part, Assertion) or (isinstance(part, Group) and part.looks):
            raise _nothing_to_repeat(match)
        self.at = match.end()
        if again := _QUANTIFIER.match(self.pattern, self.at):
            message = f"`{again[0]}` follows another quantifier"
            raise PatternError(message, "group with `(?:…)`, or remove one")
        least = 1 if match[1] == "+" else 0
        most = 1 if match[1] == "?" else None
        if match[2]:
            least = int(match[2])
            most = (int(match[4]) if match[4] else None) if match[3] else least
        return Repeated(part, match[0], least, most)

    def _part(self) -> Node:
        sign = self._next()
        if sign == "(":
            return self._group()
        if sign == "\\":
            return self._escape()
        if sign == "[":
            return self._class()
        if match := _QUANTIFIER.match(self.pattern, self.at):
            raise _nothing_to_repeat(match)
        if sign in "{}]":
            raise PatternError(f"unmatched `{sign}`", f"write `\\{sign}` to match `{sign}`")
        self.at += 1
        match sign:
            case ".":
                return Characters(characters.DOT)
            case "^":
                return Assertion("^")
            case "$":
                return Assertion(r"\Z")
        return Characters(((ord(sign), ord(sign)),))

    def _group(self) -> Node:
        match = _GROUP.match(self.pattern, self.at)
        if not match:
            raise _not_a_group(_ODD_GROUP.match(self.pattern, self.at))
        self.at = match.end()
        body = self.choice()
        if self._next() != ")":
            raise PatternError("unclosed `(`", r"write `\(` to match `(`")
        self.at += 1
        return Group(match[0] if not match[0].endswith(">") else "(", body)

    def _escape(self) -> Node:
        match = self._escaped()
        if match["sign"] in ("b", "B"):
            # Python's own \B is not found in an empty text.
            return Assertion(match[0] if match["sign"] == "b" else r"(?!\b)")
        return Reference(match[0]) if match["number"] else Characters(self._meant(match))

    def _escaped(self) -> re.Match[str]:
        """Parse an escape that all engines support."""
        match = _ESCAPE.match(self.pattern, self.at)
        if not match:
            raise PatternError("a backslash at the end", r"write `\\` to match a backslash")
        self.at = match.end()
        sign, odd = match["sign"] or "", match["odd"]
        if odd:
            message = f"not all engines know the escape `{match[0]}`"
            raise PatternError(message, f"write `\\u{odd[1:]}`")
        if match["property"] and not characters.PROPERTY.fullmatch(match["name"]):
            hint = r"write a category such as `\p{L}`, or a script such as `\p{Script=Greek}`"
            raise PatternError(f"not all engines know the property `{match[0]}`", hint)
        if (sign.isalnum() or sign in ("<", ">")) and sign not in {*"bBdDwWsS", *_SIGNS}:
            raise _unknown(match[0])
        return match

    def _class(self) -> Node:
        if empty := re.compile(r"\[\^?\]").match(self.pattern, self.at):
            message = f"`{empty[0]}` is an empty class"
            raise PatternError(message, r"write `[\s\S]` for any character")
        self.at += 1
        negated = self._next() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self._next() != "]":
            start = self.at
            some = self._member()
            if self._next() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                low, high = _only(some), _only(self._member())
                if low is None or high is None or high < low:
                    source = self.pattern[start : self.at]
                    raise PatternError(f"`{source}` is not a range", r"write `\-` to match `-`")
                some = ((low, high),)
            ranges += some
        self.at += 1
        listed = characters.joined(ranges)
        return Characters(characters.without(listed) if negated else listed)

    def _member(self) -> Ranges:
        """Parse a character of a class, or an escape that stands for several."""
        sign = self._next()
        if not sign:
            raise PatternError("unclosed `[`", r"write `\[` to match `[`")
        if sign != "\\":
            self.at += 1
            return ((ord(sign), ord(sign)),)
        match = self._escaped()
        if match["number"] or match["sign"] in ("b", "B"):
            raise _unknown(match[0])
        return self._meant(match)

    def _meant(self, match: re.Match[str]) -> Ranges:
        """Return the characters that an escape means."""
        sign = match["sign"]
        if match["property"]:
            ranges = self._of_property(match["name"])
            return ranges if match["property"] == "p" else characters.without(ranges)
        if sign and sign.lower() in _CLASSES:
            ranges = _CLASSES[sign.lower()]
            return ranges if sign.islower() else characters.without(ranges)
        if number := match["long"] or match["short"] or match["hex"]:
            code = int(number, 16)
        elif match["control"]:
            code = ord(match["control"]) % 32
        else:
            code = _SIGNS[sign] if sign in _SIGNS else ord(sign)
        if code > characters.LAST or 0xD800 <= code < 0xE000:
            hint = "write the character itself, or its code point: `\\u{1F600}`"
            raise PatternError("half of a surrogate pair is not a character", hint)
        return ((code, code),)


def _only(ranges: Ranges) -> int | None:
    """Return the character if it is the only one."""
    (low, high), *more = ranges or ((0, 1),)
    return low if low == high and not more else None


def _nothing_to_repeat(match: re.Match[str]) -> PatternError:
    sign = match[0][0]
    message = f"`{match[0]}` has nothing to repeat"
    return PatternError(message, f"write `\\{sign}` to match `{sign}`")


def _unknown(escape: str) -> PatternError:
    instead = _INSTEAD.get(escape[1], f"`{escape[1:]}`")
    return PatternError(f"not all engines know the escape `{escape}`", f"write {instead}")


def _not_a_group(match: re.Match[str] | None) -> PatternError:
    group = match[0] if match else "("
    if group.startswith("(?P"):
        return PatternError(
            f"`{group}` is Python syntax", "write `(?<name>…)`, or `(?:…)` without a name"
        )
    if re.fullmatch(r"\(\?[a-z-]+[:)]?", group):
        message = f"`{group}` sets flags, which JSON Schema patterns cannot"
        hint = r"write `[\s\S]` for `.`" if "s" in group else "spell out both cases: `[Aa]`"
        return PatternError(message, hint)
    hint = "write `(?:…)`, `(?=…)`, `(?!…)` or `(?<name>…)`"
    return PatternError(f"`{group}` is not an ECMA-262 group", hint)
