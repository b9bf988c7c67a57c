"""A JSON text, with comments or without, and where the objects and arrays in it are."""

from __future__ import annotations

import json
import re

from msgspec import Struct

from scaffold.clients.formats.text import FormatError, indentation, line_end

_STRING = r'"(?:[^"\\\n]++|\\.)*+"'
_COMMENT = re.compile(rf"{_STRING}|(?P<comment>//[^\r\n]*|/\*.*?\*/)|/\*.*", re.DOTALL)
_FINAL = re.compile(rf"{_STRING}|(?P<comma>,)(?=[ \t\r\n]*[}}\]])")
_LONELY = re.compile(rf"{_STRING}|(?P<comma>[{{\[][ \t\r\n]*,)")
_VISIBLE = re.compile(r"[^\r\n]")
_SPACE = re.compile(r"[ \t\r\n]*")
_BLANKS = re.compile(r"[ \t]*")
_DECODER = json.JSONDecoder()
DEFAULT_UNIT = "  "
_OPENING = {"object": "{", "array": "["}


class Part(Struct, frozen=True):
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
    the same in all three. A comment without an end stays, and is an error.
    """

    def __init__(self, text: str, comments: bool) -> None:
        """Parse a text. Raises FormatError."""
        self.text = text
        self._objects: dict[int, Object] = {}
        self.code = _COMMENT.sub(_blank, text) if comments else text
        self.plain = _FINAL.sub(_blank, self.code) if comments else text
        for found in _LONELY.finditer(self.code) if comments else ():
            if found.lastgroup:
                raise FormatError("not valid JSON: unexpected comma", found.end() - 1)
        try:
            self.value = json.loads(self.plain, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            message = error.msg[0].lower() + error.msg[1:]
            raise FormatError(f"not valid JSON: {message}", error.pos) from error
        except ValueError as error:
            raise FormatError(f"not valid JSON: {error}") from error
        except RecursionError as error:
            raise FormatError("nested too deeply") from error

    def object_at(self, path: tuple[str, ...], kind: str = "object") -> Object | None:
        """Return the object at a path of keys, or the array of that `kind`, or None.

        Raises FormatError if there is something else, or if a key on the way is there twice.
        """
        at = self._skip(0)
        for key in (None, *path):
            if key is not None:
                part = self._object(at).find(key)
                if part is None:
                    return None
                at = part.value
            wanted = kind if path[-1:] == (key,) else "object"
            if self.plain[at] != _OPENING[wanted]:
                name = f"`{key}`" if key else "the file"
                raise FormatError(f"{name} does not hold an {wanted}", at)
        return self._object(at)

    def _object(self, at: int) -> Object:
        if at not in self._objects:  # large files are walked through once
            self._objects[at] = self._parsed(at)
        return self._objects[at]

    def _parsed(self, at: int) -> Object:
        parts: list[Part] = []
        keys: set[str] = set()
        here = self._skip(at + 1)
        while self.plain[here] not in "}]":
            key, value = None, here
            if self.plain[at] == "{":
                key, after = _DECODER.raw_decode(self.plain, here)
                if key in keys:
                    message, hint = f"the key `{key}` is there twice", "remove one of the two"
                    raise FormatError(message, here, hint)
                keys.add(key)
                value = self._skip(self._skip(after) + 1)
            end = _DECODER.raw_decode(self.plain, value)[1]
            parts.append(Part(key, here, value, end))
            here = self._skip(end)
            if self.plain[here] == ",":
                here = self._skip(here + 1)
        return Object(at, here, tuple(parts))

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self.plain, at)
        return space.end() if space else at

    def unit(self) -> str:
        """Return the white space of one level of indentation."""
        whole = self._object(self._skip(0))
        if not whole.parts:
            return DEFAULT_UNIT
        first = whole.parts[0]
        before = self.text[whole.open : first.start]
        unit = indentation(self.text, first.start).removeprefix(indentation(self.text, whole.open))
        return unit if "\n" in before and unit else DEFAULT_UNIT

    def is_in_one_line(self) -> bool:
        """Return whether the document has members, all in one line."""
        whole = self._object(self._skip(0))
        return bool(whole.parts) and "\n" not in self.text[whole.open : whole.close]

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


def _blank(match: re.Match[str]) -> str:
    """Return blanks for a comment or a comma, with its line ends; strings stay."""
    return _VISIBLE.sub(" ", match[0]) if match.lastgroup else match[0]


def _no_constant(name: str) -> None:
    raise ValueError(f"unexpected `{name}`")
