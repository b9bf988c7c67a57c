"""JSON, with comments and final commas where a client allows them, edited by spans of the text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from scaffold.editing.json_text import Object, Text
from scaffold.editing.text import (
    FormatError,
    check,
    edited,
    indentation,
    newline,
)

_Edits = list[tuple[int, int, str]]


class Json(Struct, frozen=True):
    """The format JSON, with `comments` or without."""

    comments: bool

    def entries(self, text: str, root: str) -> Mapping[str, Any]:
        """Return the entries by name."""
        parsed = self._parsed(text)
        return dict(parsed.value[root]) if parsed.object_at(root) else {}

    def put(self, text: str, root: str, name: str, entry: Mapping[str, Any]) -> str:
        """Return the text with an entry, in its place or at the end of the mapping at `root`."""
        parsed = self._parsed(text)
        within = parsed.object_at(root)
        if old := within and within.find(name):
            new = _value(parsed, old.start, entry, "\n" in text[old.start : old.end])
            edits = [(old.value, old.end, new)]
        elif within:
            edits = _insertion(parsed, within, name, entry)
        else:
            edits = _insertion(parsed, parsed.whole, root, {name: entry})
        return self._checked(parsed, edits, root, entry, name)

    def drop(self, text: str, root: str, name: str) -> str:
        """Return the text without an entry."""
        parsed = self._parsed(text)
        within = parsed.object_at(root)
        part = within and within.find(name)
        if not within or not part:
            return text
        edits = _removal(parsed, within, within.parts.index(part))
        return self._checked(parsed, edits, root, None, name)

    def items(self, text: str, key: str) -> tuple[Any, ...]:
        """Return the items of the array at a key; none if there is no such array."""
        parsed = self._parsed(text)
        return tuple(parsed.value[key]) if parsed.object_at(key, "array") else ()

    def add_item(self, text: str, key: str, item: Mapping[str, Any]) -> str:
        """Return the text with an item at the end of the array at a key, which may be new."""
        parsed = self._parsed(text)
        within = parsed.object_at(key, "array")
        edits = (
            _insertion(parsed, within, None, item)
            if within
            else _insertion(parsed, parsed.whole, key, [item])
        )
        return self._checked(parsed, edits, key, [*parsed.value.get(key, ()), item])

    def drop_item(self, text: str, key: str, item: Mapping[str, Any]) -> str:
        """Return the text without an item of the array at a key."""
        parsed = self._parsed(text)
        within = parsed.object_at(key, "array")
        if not within or item not in parsed.value[key]:
            return text
        index = parsed.value[key].index(item)
        rest = [other for n, other in enumerate(parsed.value[key]) if n != index]
        return self._checked(parsed, _removal(parsed, within, index), key, rest)

    def _parsed(self, text: str) -> Text:
        """Parse a text; a blank text is an empty object."""
        return Text(text if text.strip() else "{}" + newline(text), self.comments)

    def _checked(
        self, parsed: Text, edits: _Edits, root: str, value: Any, name: str | None = None
    ) -> str:
        """Return the edited text, and check that it differs only in the entry.

        Without a `name`, it is the value of `root`.
        """
        new = edited(parsed.text, edits)
        result = Text(new, self.comments).value
        written = result.get(root)
        if name:
            written = (written or {}).get(name)
        if written != value:
            raise FormatError("the entry cannot be written as JSON")
        check(result, parsed.value, root, name)
        return new


def _insertion(parsed: Text, within: Object, key: str | None, value: object) -> _Edits:
    """Return the edits that put a member at the end of an object, or an item into an array."""
    text, nl, unit = parsed.text, newline(parsed.text), parsed.unit()

    def member(at: int, in_lines: bool) -> str:
        written = _value(parsed, at, value, in_lines)
        return written if key is None else f"{json.dumps(key, ensure_ascii=False)}: {written}"

    if not within.parts:
        start = within.open + 1
        if parsed.is_in_one_line():
            return [(start, start, member(start, False))]
        base = indentation(text, within.open)
        comment = parsed.after_comments(start)
        last = "" if "\n" in text[comment : within.close] else nl + base
        new = member(within.open, True).replace(nl, nl + unit)
        return [(comment, comment, f"{nl}{base}{unit}{new}{last}")]

    first, last_part = within.parts[0], within.parts[-1]
    comma = parsed.code.find(",", last_part.end, within.close)
    anchor = last_part.end if comma < 0 else comma + 1
    if "\n" not in text[within.open : first.start]:
        new = " " + member(anchor, False)
        return [(anchor, anchor, f",{new}" if comma < 0 else f"{new},")]
    like = last_part if indentation(text, last_part.start) else first
    new = nl + indentation(text, like.start) + member(like.start, True)
    at = parsed.after_comments(anchor)
    return [(anchor, anchor, ","), (at, at, new)] if comma < 0 else [(at, at, f"{new},")]


def _removal(parsed: Text, within: Object, index: int) -> _Edits:
    """Return the edits that remove a member or an item, with its line and its comma."""
    text, part = parsed.text, within.parts[index]
    inside = slice(within.open + 1, within.close)
    if len(within.parts) == 1 and parsed.code[inside] == text[inside]:
        return [(within.open + 1, within.close, "")]
    start = len(text[: part.start].rstrip(" \t"))
    for end in ("\n", "\r"):
        start -= text[:start].endswith(end)
    comma = parsed.code.find(",", part.end, within.close)
    if index + 1 < len(within.parts):
        after = within.parts[index + 1].start
        if "\n" not in text[start : part.start] and "\n" not in text[comma:after]:
            return [(part.start, after, "")]
    if comma >= 0:
        return [(start, comma + 1, "")]
    if index == 0:
        return [(start, part.end, "")]
    before = parsed.code.find(",", within.parts[index - 1].end, part.start)
    if start <= before:  # the comma begins the line of the entry, or precedes it without a space
        return [(before, part.end, "")]
    return [(before, before + 1, ""), (start, part.end, "")]


def _value(parsed: Text, at: int, value: object, in_lines: bool) -> str:
    """Return a value as JSON, in lines indented as the one at an offset, or in one line."""
    if in_lines:
        written = json.dumps(value, indent=parsed.unit(), ensure_ascii=False)
        return written.replace("\n", newline(parsed.text) + indentation(parsed.text, at))
    return json.dumps(value, ensure_ascii=False)
