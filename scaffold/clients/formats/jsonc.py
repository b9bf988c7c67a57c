"""JSON with comments and final commas, edited by spans of the text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scaffold.clients.formats.json_text import DEFAULT_UNIT, Object, Text
from scaffold.clients.formats.text import (
    FormatError,
    check,
    edited,
    indentation,
    newline,
    value_at,
)


def entries(text: str, root: tuple[str, ...], comments: bool = True) -> Mapping[str, Any]:
    """Return the entries by name."""
    if not text.strip():
        return {}
    parsed = Text(text, comments)
    return dict(value_at(parsed.value, root)) if parsed.object_at(root) else {}


def put(
    text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any], comments: bool = True
) -> str:
    """Return the text with a new entry at the end of the mapping at `root`."""
    path = (*root, name)
    if not text.strip():
        whole = json.dumps(_nested(path, entry), indent=DEFAULT_UNIT, ensure_ascii=False) + "\n"
        return whole.replace("\n", newline(text))
    parsed = Text(text, comments)
    objects = [parsed.object_at(path[:depth]) for depth in range(len(path))]
    depth = max(depth for depth, found in enumerate(objects) if found)
    within = objects[depth]
    assert within
    if within.find(path[depth]):
        raise FormatError(f"there is an entry `{name}` already")
    new = edited(text, _insertion(parsed, within, path[depth], _nested(path[depth + 1 :], entry)))
    result = Text(new, comments).value
    if value_at(result, path) != entry:
        raise FormatError("the entry cannot be written as JSON")
    check(result, parsed.value, path)
    return new


def drop(
    text: str, root: tuple[str, ...], name: str, was: str | None, comments: bool = True
) -> str:
    """Return the text without an entry; without the mappings too that `was` did not have."""
    parsed = Text(text, comments)
    before = Text(was, comments) if was and was.strip() else None
    path = (*root, name)
    while True:
        within = parsed.object_at(path[:-1])
        part = within and within.find(path[-1])
        if not within or not part:
            return text
        old = before.object_at(path[:-1]) if before else None
        if was is None or old or len(within.parts) > 1:
            break
        path = path[:-1]
        if not path:
            outside = text[: within.open] + text[within.close + 1 :]
            comment = parsed.code[within.open : within.close] != text[within.open : within.close]
            if not outside.strip() and not comment:
                return was
            path = (*root, name)[:1]
            break
    gap = before.text[old.open + 1 : old.close] if before and old and not old.parts else ""
    new = edited(text, _removal(parsed, within, within.parts.index(part), gap))
    check(parsed.value, Text(new, comments).value, (*root, name))
    return new


def items(text: str, key: str) -> tuple[Any, ...]:
    """Return the items of the array at a key; none if there is no such array."""
    if not text.strip():
        return ()
    parsed = Text(text, comments=True)
    return tuple(parsed.value[key]) if parsed.object_at((key,), "array") else ()


def add_item(text: str, key: str, item: Mapping[str, Any]) -> str:
    """Return the text with a new item at the end of the array at a key, which is created if need be."""
    parsed = Text(text, comments=True)
    within, whole = parsed.object_at((key,), "array"), parsed.object_at(())
    assert whole
    edits = (
        _insertion(parsed, within, None, item) if within else _insertion(parsed, whole, key, [item])
    )
    new = edited(text, edits)
    if Text(new, comments=True).value != {**parsed.value, key: [*parsed.value.get(key, ()), item]}:
        raise FormatError("the layout of the file is not supported", whole.open)
    return new


def drop_item(text: str, key: str, item: Mapping[str, Any], was: str | None) -> str:
    """Return the text without an item of the array at a key; see `drop` for `was`."""
    parsed = Text(text, comments=True)
    before = Text(was, comments=True) if was and was.strip() else None
    within, whole = parsed.object_at((key,), "array"), parsed.object_at(())
    if not within or not whole or item not in parsed.value[key]:
        return text
    index = parsed.value[key].index(item)
    old = before.object_at((key,), "array") if before else None
    if len(within.parts) == 1 and was is not None and not old:
        member = next(n for n, part in enumerate(whole.parts) if part.key == key)
        return edited(text, _removal(parsed, whole, member, ""))
    gap = before.text[old.open + 1 : old.close] if before and old and not old.parts else ""
    new = edited(text, _removal(parsed, within, index, gap))
    rest = [other for n, other in enumerate(parsed.value[key]) if n != index]
    if Text(new, comments=True).value != {**parsed.value, key: rest}:
        raise FormatError("the layout of the file is not supported", within.open)
    return new


def _nested(path: tuple[str, ...], value: object) -> object:
    """Return the value inside a mapping for each key of the path."""
    for key in reversed(path):
        value = {key: value}
    return value


def _insertion(
    parsed: Text, within: Object, key: str | None, value: object
) -> list[tuple[int, int, str]]:
    """Return the edits that put a member at the end of an object, or an item into an array."""
    text, nl, unit = parsed.text, newline(parsed.text), parsed.unit()

    def lines(indent: str) -> str:
        whole = [value] if key is None else {key: value}
        written = json.dumps(whole, indent=unit, ensure_ascii=False).split("\n")
        return f"{nl}{indent}" + f"{nl}{indent}".join(line[len(unit) :] for line in written[1:-1])

    if not within.parts:
        if parsed.is_in_one_line():
            return [(within.open + 1, within.open + 1, _in_one_line(parsed, key, value))]
        comment = parsed.after_comments(within.open + 1)
        base = indentation(text, within.open)
        last = "" if "\n" in text[comment : within.close] else nl + base
        return [(comment, comment, lines(base + unit) + last)]

    first, last_part = within.parts[0], within.parts[-1]
    comma = parsed.code.find(",", last_part.end, within.close)
    anchor = last_part.end if comma < 0 else comma + 1
    if "\n" not in text[within.open : first.start]:
        space = "" if _is_tight(parsed) else " "
        new = space + _in_one_line(parsed, key, value)
        return [(anchor, anchor, f",{new}" if comma < 0 else f"{new},")]
    new = lines(indentation(text, last_part.start) or indentation(text, first.start))
    at = parsed.after_comments(anchor)
    return [(anchor, anchor, ","), (at, at, new)] if comma < 0 else [(at, at, f"{new},")]


def _removal(parsed: Text, within: Object, index: int, gap: str) -> list[tuple[int, int, str]]:
    """Return the edits that remove a member; `gap` is for an object that is empty then."""
    text, part = parsed.text, within.parts[index]
    start = len(text[: part.start].rstrip(" \t"))
    for end in ("\n", "\r"):
        start -= text[:start].endswith(end)
    comma = parsed.code.find(",", part.end, within.close)
    if len(within.parts) == 1:
        rest = text[part.end : within.close]
        if comma >= 0:
            rest = text[part.end : comma] + text[comma + 1 : within.close]
        if (text[within.open + 1 : part.start] + rest).split() == gap.split():
            return [(within.open + 1, within.close, gap)]
    if index + 1 < len(within.parts):
        after = within.parts[index + 1].start
        if "\n" not in text[start : part.start] and "\n" not in text[comma:after]:
            return [(part.start, after, "")]
        return [(start, comma + 1, "")]
    if comma >= 0:
        return [(start, comma + 1, "")]
    if index == 0:
        return [(start, part.end, "")]
    before = parsed.code.find(",", within.parts[index - 1].end, part.start)
    if start <= before:  # the comma begins the line of the entry, or precedes it without a space
        return [(before, part.end, "")]
    return [(before, before + 1, ""), (start, part.end, "")]


def _in_one_line(parsed: Text, key: str | None, value: object) -> str:
    """Return a member or an item in one line, spaced like the first member of the document."""
    separators = (",", ":") if _is_tight(parsed) else (", ", ": ")
    whole = [value] if key is None else {key: value}
    return json.dumps(whole, separators=separators, ensure_ascii=False)[1:-1]


def _is_tight(parsed: Text) -> bool:
    """Return whether there is no space after the first colon of the document."""
    whole = parsed.object_at(())
    assert whole
    first = whole.parts[0]
    return parsed.code[parsed.code.rindex(":", first.start, first.value) + 1] not in " \t"
