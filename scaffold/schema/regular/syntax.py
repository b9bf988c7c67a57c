"""The syntax tree of an ECMA-262 pattern, and the same pattern as Python writes it."""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from scaffold.schema.regular import characters
from scaffold.schema.regular.characters import Ranges

_ESCAPE = re.compile(
    r"\\(?:(?P<property>[pP])\{(?P<name>[^}]+)\}|u\{(?P<long>[0-9a-fA-F]{1,6})\}"
    r"|u(?P<short>[0-9a-fA-F]{4})|x(?P<hex>[0-9a-fA-F]{2})|c(?P<control>[A-Za-z])"
    r"|(?P<number>[1-9][0-9]*)|(?P<sign>[\s\S]))"
)
_QUANTIFIER = re.compile(r"([*+?]|\{([0-9]+)(,?)([0-9]*)\})(\??)")
_GROUP = re.compile(r"\((\?(?::|=|!|<=|<!|<[^\W\d]\w*>))?")
_SIGNS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_CLASSES: dict[str, Ranges] = {
    "d": characters.DIGITS,
    "w": characters.WORD,
    "s": characters.SPACE,
}


class UntranslatableError(Exception):
    """A pattern cannot be a pattern of Python: why, and what to write instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Characters(Struct, frozen=True):
    """One character of a set."""

    source: str
    ranges: Ranges


class Assertion(Struct, frozen=True):
    """A place, such as the end of the text."""

    source: str


class Reference(Struct, frozen=True):
    """The text of a group once more."""

    source: str


class Sequence(Struct, frozen=True):
    """One part after another."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return "".join(part.source for part in self.parts)


class Choice(Struct, frozen=True):
    """One of several parts."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return "|".join(part.source for part in self.parts)


class Group(Struct, frozen=True):
    """A part in parentheses; `opening` is `(`, `(?:` or that of a look around."""

    opening: str
    body: Node

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return f"{self.opening}{self.body.source})"

    @property
    def looks(self) -> bool:
        """Return whether it looks around and consumes nothing."""
        return self.opening not in ("(", "(?:")


class Repeated(Struct, frozen=True):
    """A part several times; `most` is None where there is no limit."""

    body: Node
    quantifier: str
    least: int
    most: int | None

    @property
    def source(self) -> str:
        """Return it as Python writes it."""
        return f"{self.body.source}{self.quantifier}"


Node = Characters | Assertion | Reference | Sequence | Choice | Group | Repeated


def parsed(pattern: str) -> Node:
    """Return the tree of a pattern; raises UntranslatableError."""
    reader = _Reader(pattern)
    tree = reader.choice()
    if reader.at < len(pattern):
        raise _unknown(pattern[reader.at])
    return tree


def _unknown(part: str) -> UntranslatableError:
    return UntranslatableError(f"`{part}` has no equal in Python", "write it in another way")


class _Reader:
    """A pattern, and how far it is read."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

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
        for place, (one, after) in enumerate(pairwise(parts)):
            if isinstance(one, Reference) and after.source[0].isdigit():
                parts[place] = Reference(f"(?:{one.source})")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, part: Node) -> Node:
        found = _QUANTIFIER.match(self.pattern, self.at)
        if not found:
            return part
        if isinstance(part, Assertion) or (isinstance(part, Group) and part.looks):
            raise _unknown(part.source + found[0])
        self.at = found.end()
        if _QUANTIFIER.match(self.pattern, self.at):
            raise _unknown(found[0] + self._next())
        least = 1 if found[1] == "+" else 0
        most = 1 if found[1] == "?" else None
        if found[2]:
            least = int(found[2])
            most = (int(found[4]) if found[4] else None) if found[3] else least
        return Repeated(part, found[0], least, most)

    def _part(self) -> Node:
        sign = self._next()
        if found := _GROUP.match(self.pattern, self.at):
            self.at = found.end()
            opening = found[0] if not found[0].endswith(">") else "("
            body = self.choice()
            if self._next() != ")":
                raise _unknown("(")
            self.at += 1
            return Group(opening, body)
        if sign == "\\":
            return self._escape()
        if sign == "[":
            return self._class()
        if sign in "*+?{":
            raise _unknown(sign)
        self.at += 1
        match sign:
            case ".":
                return Characters(".", characters.DOT)
            case "^":
                return Assertion("^")
            case "$":
                return Assertion(r"\Z")
        code = ord(sign)
        source = sign if sign.isprintable() and sign not in "}]" else characters.written(code)
        return Characters(source, ((code, code),))

    def _escape(self) -> Node:
        found = self._escaped()
        if found["sign"] in ("b", "B"):
            # Python's own \B is not found in an empty text.
            return Assertion(found[0] if found["sign"] == "b" else r"(?!\b)")
        if found["number"]:
            return Reference(found[0])
        code, ranges = _meant(found)
        if code is not None:
            return Characters(_spelled(found[0], code), ranges)
        if found["sign"] in ("d", "w"):
            return Characters({"d": "[0-9]", "w": "[A-Za-z0-9_]"}[found["sign"]], ranges)
        if found["sign"] or found["property"] == "P":
            negated = (found["sign"] or "P").isupper()
            inside = characters.without(ranges) if negated else ranges
            return Characters(f"[{'^' * negated}{characters.in_class(inside)}]", ranges)
        return Characters(f"[{characters.in_class(ranges)}]", ranges)

    def _escaped(self) -> re.Match[str]:
        found = _ESCAPE.match(self.pattern, self.at)
        if not found or found["sign"] in ("x", "u", "c", "p", "P", "k", "0"):
            raise _unknown("\\")
        self.at = found.end()
        return found

    def _class(self) -> Node:
        self.at += 1
        negated = self._next() == "^"
        self.at += negated
        sources: list[str] = []
        ranges: list[tuple[int, int]] = []
        while self._next() != "]":
            low, source, some = self._member()
            if self._next() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high, end, _ = self._member()
                if low is None or high is None or high < low:
                    raise _unknown(f"{source}-{end}")
                source, some = f"{source}-{end}", ((low, high),)
            sources.append(source)
            ranges += some
        self.at += 1
        if not sources:
            raise _unknown("[]")
        found = characters.joined(ranges)
        if found == characters.ALL and not negated:
            return Characters(r"[\s\S]", found)
        inside = _class_of(sources)
        return Characters(
            f"[{'^' * negated}{inside}]", characters.without(found) if negated else found
        )

    def _member(self) -> tuple[int | None, str, Ranges]:
        """Return a character of a class, or None and its source and ranges."""
        sign = self._next()
        if not sign:
            raise _unknown("[")
        if sign != "\\":
            self.at += 1
            is_plain = sign.isprintable() and sign not in "[]^-"
            source = sign if is_plain else characters.written(ord(sign))
            return ord(sign), source, ((ord(sign), ord(sign)),)
        found = self._escaped()
        if found["number"] or found["sign"] in ("b", "B"):
            raise _unknown(found[0])
        code, ranges = _meant(found)
        if code is not None:
            return code, _spelled(found[0], code), ranges
        known = {"d": "0-9", "w": "A-Za-z0-9_"}
        return None, known.get(found["sign"] or "") or characters.in_class(ranges), ranges


def _class_of(members: list[str]) -> str:
    """Return the inside of a class, where Python warns of some signs that follow each other."""
    if members[-1] == r"\-":
        members = [*members[:-1], "-"]
    inside = "".join(members)
    return re.sub(r"(?<!\\)([-&~|])(?=\1)", r"\\\1", inside)


def _meant(found: re.Match[str]) -> tuple[int | None, Ranges]:
    """Return the character that an escape means, or None and the characters."""
    sign = found["sign"]
    if found["property"]:
        ranges = characters.of_property(found["name"])
        return None, ranges if found["property"] == "p" else characters.without(ranges)
    if sign and sign.lower() in _CLASSES:
        ranges = _CLASSES[sign.lower()]
        return None, ranges if sign.islower() else characters.without(ranges)
    if number := found["long"] or found["short"] or found["hex"]:
        code = int(number, 16)
    elif found["control"]:
        code = ord(found["control"]) % 32
    elif sign in _SIGNS:
        code = _SIGNS[sign]
    elif sign.isalnum():
        raise _unknown(found[0])
    else:
        code = ord(sign)
    if code > characters.LAST or 0xD800 <= code < 0xE000:
        raise _unknown(found[0])
    return code, ((code, code),)


def _spelled(escape: str, code: int) -> str:
    """Return an escape as Python spells it; as it was, if possible."""
    is_sign = len(escape) == 2 and not escape[1].isalnum()
    if is_sign and not escape[1].isprintable():
        return characters.written(code)
    if is_sign:
        return escape[1] if escape[1] in "/_\"'<>,:;=!@%`#" or code > 0x7F else escape
    return characters.written(code)
