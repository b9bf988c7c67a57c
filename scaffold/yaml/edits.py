"""Fixes of a spec's text: a key's spelling, quotes and indentation."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold.base.diagnostics import Edit, Fix
from scaffold.yaml.document import Document, Node
from scaffold.yaml.document import pointer as as_pointer


def renamed(document: Document, pointer: str, new: str) -> Fix | None:
    """Return the fix that renames the key at a JSON Pointer; None if there is no such key."""
    span = document.span(pointer, key=True)
    after = pointer.rpartition("/")[0] + as_pointer(new)
    return Fix((_in_its_quotes(document, span, new),), after) if span else None


def replaced(document: Document, pointer: str, new: str) -> Fix | None:
    """Return the fix that replaces the string at a JSON Pointer, in the quotes that it has."""
    span = _scalar(document, pointer)
    return Fix((_in_its_quotes(document, span, new),), pointer) if span else None


def overwritten(document: Document, pointer: str, text: str) -> Fix | None:
    """Return the fix that writes `text` in place of the scalar at a JSON Pointer."""
    span = _scalar(document, pointer)
    return Fix((Edit(*span, text),), pointer) if span else None


def indented(document: Document, pointers: Sequence[str], columns: int, after: str) -> Fix | None:
    """Return the fix that moves whole `key: value` blocks to the right, or to the left.

    `after` is the JSON Pointer of what holds them then. There is none if a block does not begin
    its line, as in flow style.
    """
    edits: list[Edit] = []
    for pointer in pointers:
        key, node = document.span(pointer, key=True), document.node(pointer)
        if not key or not node:
            return None
        at = document.text.rfind("\n", 0, key[0]) + 1
        if document.text[at : key[0]].strip(" "):
            return None
        for line in document.text[at : max(key[1], end_of(document, node))].splitlines(True):
            blank = len(line) - len(line.lstrip(" "))
            if line.strip() and blank < -columns:
                return None
            if line.strip("\n"):
                edits.append(Edit(at, at + min(blank, max(0, -columns)), " " * columns))
            at += len(line)
    return Fix(tuple(edits), after)


def column(document: Document, pointer: str) -> int | None:
    """Return the column of a key, counted from 0; None if there is no such key."""
    span = document.span(pointer, key=True)
    return span[0] - document.text.rfind("\n", 0, span[0]) - 1 if span else None


def _scalar(document: Document, pointer: str) -> tuple[int, int] | None:
    """Return the span of a scalar in one line; None for anything else."""
    span, node = document.span(pointer), document.node(pointer)
    if not span or not node or node.kids is not None:
        return None
    return span if document.text[slice(*span)].isprintable() else None


def end_of(document: Document, node: Node) -> int:
    """Return where a value ends. A block collection's own end is after the comments below it."""
    while node.kids and document.text[node.start] not in "[{":
        kids = list(node.kids.values()) if isinstance(node.kids, dict) else node.kids
        node = kids[-1].node
    return node.end


def _in_its_quotes(document: Document, span: tuple[int, int], new: str) -> Edit:
    quote = document.text[span[0]]
    return Edit(*span, f"{quote}{new}{quote}" if quote in "\"'" else new)
