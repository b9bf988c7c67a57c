"""A JSON text, with or without comments, and the positions of its objects and arrays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from scaffold.editing.text import FormatError, indentation, line_end, place

# It also matches an unterminated string, so that scanning stays linear.
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
_SPACE = r"[ \t\r\n]*"


def _outside(pattern: str, otherwise: str = "(?!)") -> re.Pattern[str]:
    """Return a pattern for what plain JSON does not have, outside of strings: its group `found`.

    `otherwise` is what to skip.
    """
    return re.compile(rf"{_STRING}|(?P<found>{pattern})|{otherwise}", re.DOTALL)


_COMMENT = _outside(r"//[^\r\n]*|/\*.*?\*/", r"/\*.*")
_FINAL_COMMA = rf",(?={_SPACE}[}}\]])"
_FINAL = _outside(_FINAL_COMMA)
_LONELY = _outside(rf"[{{\[]{_SPACE},")
_VISIBLE = re.compile(r"[^\r\n]")
_BLANKS = re.compile(r"[ \t]*")
_START = re.compile(_SPACE)
_KEY = re.compile(rf"({_STRING}){_SPACE}:{_SPACE}")
_NEXT = re.compile(rf"{_SPACE}(?:,{_SPACE})?")
_DECODER = json.JSONDecoder()
DEFAULT_UNIT = "  "
_OPENING = {"object": "{", "array": "["}


class Part(NamedTuple):
    """A member of an object, from its key to the end of its value, or an item of an array."""

    key: str | None
    start: int
    value: int
    end: int


class Object(Struct, frozen=True):
    """An object or an array in a text: the offsets of its brackets, and what is in it."""

    open: int
    close: int
    parts: tuple[Part, ...]

    def find(self, key: str) -> Part | None:
        """Return the member with a key."""
        return next((part for part in self.parts if part.key == key), None)


class Text:
    """A JSON text and its values.

    `code` is the text with comments blanked out, and `plain` also without final commas: offsets are
    the same in all three. An unterminated comment is kept, and is an error.
    """

    def __init__(self, text: str, comments: bool) -> None:
        """Parse a text. Raises FormatError."""
        self.text = text
        self.code = _blanked(text, _COMMENT) if comments else text
        self.plain = self.code
        # They are rare, and this search is ten times faster than the other.
        if comments and re.search(_FINAL_COMMA, self.code):
            self.plain = _blanked(self.code, _FINAL)
        if self.plain != self.code and (lonely := next(_all(self.code, _LONELY), None)):
            at = place(text, lonely.end() - 1)
            raise FormatError("not valid JSON: unexpected comma", at)
        try:
            self.value = json.loads(self.plain, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            message = error.msg[0].lower() + error.msg[1:]
            raise FormatError(f"not valid JSON: {message}", place(text, error.pos)) from error
        except ValueError as error:
            raise FormatError(f"not valid JSON: {error}") from error
        except RecursionError as error:
            raise FormatError("nested too deeply") from error

    @cached_property
    def whole(self) -> Object:
        """The object that the document is. Raises FormatError if it is something else."""
        return self._object(self._skip(0), "the file", "object")

    def object_at(self, key: str, kind: str = "object") -> Object | None:
        """Return the object at a key, or the array of that `kind`, or None.

        Raises FormatError if there is something else, or if a key is there twice.
        """
        part = self.whole.find(key)
        return self._object(part.value, f"`{key}`", kind) if part else None

    def _object(self, at: int, name: str, kind: str) -> Object:
        """Return the object or the array at an offset."""
        if self.plain[at] != _OPENING[kind]:
            raise FormatError(f"{name} does not hold an {kind}", place(self.text, at))
        parts: list[Part] = []
        keys: set[str] = set()
        here = self._skip(at + 1)
        while self.plain[here] not in "}]":
            key, value = None, here
            if self.plain[at] == "{":
                match = _KEY.match(self.plain, here)
                assert match, "the text is valid"
                key, value = json.loads(match[1]), match.end()
                if key in keys:
                    message, hint = f"the key `{key}` is there twice", "remove one of the two"
                    raise FormatError(message, place(self.text, here), hint)
                keys.add(key)
            end = _DECODER.raw_decode(self.plain, value)[1]
            parts.append(Part(key, here, value, end))
            after = _NEXT.match(self.plain, end)
            assert after
            here = after.end()
        return Object(at, here, tuple(parts))

    def _skip(self, at: int) -> int:
        space = _START.match(self.plain, at)
        return space.end() if space else at

    def unit(self) -> str:
        """Return the white space of one level of indentation."""
        whole = self.whole
        if not whole.parts:
            return DEFAULT_UNIT
        first = whole.parts[0]
        before = self.text[whole.open : first.start]
        unit = indentation(self.text, first.start).removeprefix(indentation(self.text, whole.open))
        return unit if "\n" in before and unit else DEFAULT_UNIT

    def is_in_one_line(self) -> bool:
        """Return whether the document has members, all in one line."""
        inside = self.text[self.whole.open : self.whole.close]
        return bool(self.whole.parts) and "\n" not in inside

    def after_comments(self, at: int) -> int:
        """Return the end of the comments that follow an offset in its line."""
        end = at
        while True:
            start = _BLANKS.match(self.text, end).end()  # type: ignore[union-attr]
            if self.text.startswith("//", start):
                return line_end(self.text, start)
            if not self.text.startswith("/*", start):
                return end
            end = self.text.index("*/", start + 2) + 2


def _all(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    return (match for match in pattern.finditer(text) if match["found"])


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    """Return the text with matches of a pattern replaced by blanks; line ends are kept."""
    pieces, at = list[str](), 0
    for match in _all(text, pattern):
        pieces += [text[at : match.start()], _VISIBLE.sub(" ", match[0])]
        at = match.end()
    return "".join([*pieces, text[at:]])


def _no_constant(name: str) -> None:
    raise ValueError(f"unexpected `{name}`")
