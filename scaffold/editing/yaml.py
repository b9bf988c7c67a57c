"""YAML, edited by whole lines, or within the braces of a mapping in flow style."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import Any

from scaffold.base.diagnostics import ScaffoldError
from scaffold.editing.fixes import end_of
from scaffold.editing.text import (
    FormatError,
    check,
    edited,
    line_start,
    newline,
    next_line,
    place,
)
from scaffold.yaml.document import Document, Node, pointer
from scaffold.yaml.source import parse
from scaffold.yaml.writing import yaml_text

_Edit = tuple[int, int, str]


def entries(text: str, root: str) -> Mapping[str, Any]:
    """Return the entries by name."""
    servers = _servers(_parse(text), root)
    return dict(servers.value) if servers and isinstance(servers.value, dict) else {}


def put(text: str, root: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with an entry at the end of the mapping at `root`; replace an old one."""
    if name in entries(text, root):
        text = drop(text, root, name)
    document = _parse(text)
    servers = _servers(document, root)
    within, member = (servers, {name: entry}) if servers else (document.root, {root: {name: entry}})
    source, key = document.text, document.span(pointer(root), key=True)
    if source[within.start : within.start + 1] == "{":
        end = _kids(within)[-1][2] if within.kids else within.start + 1
        written = json.dumps(member, ensure_ascii=False)[1:-1]
        edit = (end, end, f", {written}" if within.kids else written)
    elif within.kids:
        column = _kids(within)[0][1] - line_start(source, _kids(within)[0][1])
        edit = _lines(source, _end_of_lines(document, within), member, column)
    elif key is None:
        edit = _lines(source, len(source), member, 0)
    elif within.start < within.end:
        hint = f"remove the value of `{root}`"
        raise FormatError(f"`{root}` is null", place(source, key[0]), hint)
    else:
        column = key[0] - line_start(source, key[0])
        edit = _lines(source, next_line(source, key[1]), member, column + 2)
    return _checked(text, [edit], root, name, entry)


def drop(text: str, root: str, name: str) -> str:
    """Return the text without an entry."""
    document = _parse(text)
    servers = _servers(document, root)
    kids = _kids(servers) if servers else []
    index = next((index for index, kid in enumerate(kids) if kid[0] == name), None)
    if not servers or index is None:
        return text
    source, (_, key, end) = document.text, kids[index]
    if source[servers.start] == "{":
        start = kids[index - 1][2] if index else key
        end = kids[1][1] if index == 0 and len(kids) > 1 else end
        return _checked(text, [(start, end, "")], root, name, None)
    start = line_start(source, key)
    if source[start:key].strip(" "):
        message = f"the entry `{name}` does not begin its line"
        raise FormatError(message, place(source, start), "remove it yourself")
    node = document.node(pointer(root, name))
    assert node
    end = _end_of_lines(document, node)
    if start and end == len(source) and not source.endswith("\n"):
        start -= 1
    edits = [(start, end, "")]
    if len(kids) == 1:
        above = document.span(pointer(root), key=True)
        assert above
        colon = source.index(":", above[1]) + 1
        edits.insert(0, (colon, colon, " {}"))
    return _checked(text, edits, root, name, None)


def _parse(text: str) -> Document:
    """Return the document. Raises FormatError."""
    try:
        return parse(text)
    except ScaffoldError as error:
        fault = error.diagnostics[0]
        where = fault.place
        at = (where.line, where.column) if where and where.line and where.column else None
        raise FormatError(f"not valid YAML: {fault.message}", at) from error


def _servers(document: Document, root: str) -> Node | None:
    """Return the mapping of servers, which may be null. Raises FormatError for anything else."""
    node = document.node(pointer(root))
    for name, value in (("the file", document.root), (f"`{root}`", node)):
        if value and value.value is not None and not isinstance(value.value, dict):
            message = f"{name} does not hold a mapping"
            raise FormatError(message, place(document.text, value.start))
    return node


def _kids(node: Node) -> list[tuple[str, int, int]]:
    """Return the key of each member of a mapping, and where the member begins and ends."""
    kids = node.kids.items() if isinstance(node.kids, dict) else ()
    return [(name, kid.key[0], kid.node.end) for name, kid in kids if kid.key]


def _end_of_lines(document: Document, node: Node) -> int:
    """Return the offset after the last line of a value, and the comment in that line."""
    end = end_of(document, node)
    return end if document.text[:end].endswith("\n") else next_line(document.text, end)


def _lines(source: str, at: int, member: Mapping[str, Any], column: int) -> _Edit:
    """Return the edit that inserts a member in block style, as lines of their own.

    The text ends with a line end only if it did before.
    """
    lines = indent(yaml_text(member).strip("\n"), " " * column)
    is_begun = at > 0 and source[at - 1] != "\n"
    return (at, at, f"\n{lines}" if is_begun else f"{lines}\n")


def _checked(
    text: str, edits: Iterable[_Edit], root: str, name: str, entry: Mapping[str, Any] | None
) -> str:
    """Return the edited text, and check that it differs only in the entry.

    The parser takes each `\\r\\n` for one character, and so do the edits. Raises FormatError.
    """
    breaks = [written.start() - n for n, written in enumerate(re.finditer("\r\n", text))]
    spans = [
        (start + bisect_left(breaks, start), end + bisect_left(breaks, end), lines)
        for start, end, lines in edits
    ]
    nl = newline(text)
    new = edited(text, [(start, end, lines.replace("\n", nl)) for start, end, lines in spans])
    try:
        written = entries(new, root).get(name)
        check(_parse(new).value, _parse(text).value, root, name)
    except FormatError as error:  # such as after an alias, which is where its anchor is
        message = "the layout of the file is not supported"
        raise FormatError(message, None, "edit it yourself") from error
    if written != entry:
        raise FormatError("the entry cannot be written as YAML")
    return new
