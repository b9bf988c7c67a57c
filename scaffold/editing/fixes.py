"""Fixes of a spec's text: a key's spelling, and quotes."""

from __future__ import annotations

from scaffold.base.diagnostics import Edit, Fix
from scaffold.yaml.document import Document, Node
from scaffold.yaml.document import pointer as as_pointer


def renamed(document: Document, pointer: str, new: str) -> Fix | None:
    """Return the fix that renames the key at a JSON Pointer; None if it is absent, or `new` present."""
    span = document.span(pointer, key=True)
    after = pointer.rpartition("/")[0] + as_pointer(new)
    if span is None or document.node(after):
        return None
    return Fix(_in_its_quotes(document, span, new), after)


def replaced(document: Document, pointer: str, new: str) -> Fix | None:
    """Return the fix that replaces the string at a JSON Pointer, in the quotes that it has."""
    span = _scalar(document, pointer)
    return Fix(_in_its_quotes(document, span, new), pointer) if span else None


def overwritten(document: Document, pointer: str, text: str) -> Fix | None:
    """Return the fix that writes `text` in place of the scalar at a JSON Pointer."""
    span = _scalar(document, pointer)
    return Fix(Edit(*span, text), pointer) if span else None


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
