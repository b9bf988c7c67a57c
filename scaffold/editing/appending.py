"""Add an item to a top-level list of a spec, and keep all other bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from textwrap import indent

from scaffold.base.diagnostics import Edit
from scaffold.editing.fixes import end_of
from scaffold.editing.text import indentation, line_start
from scaffold.yaml.document import Document, Node

_COMMENT = re.compile(r"( *)#[^\n]*(\n|\Z)")
_BELOW = re.compile(r"(\s|^ *#[^\n]*)*\Z", re.MULTILINE)
_DASH = re.compile(r"^( *)-\s", re.MULTILINE)
_REMARK = re.compile(r"(?<=\s)#[^\n]*")


def appended(document: Document, key: str, text: str, value: Mapping[str, object]) -> Edit:
    """Return the edit that adds an item to the list of this name, as its last.

    `text` is the item as YAML in block style, which begins with a dash; `value` is the same without
    comments, for a list or a spec in brackets. A list that is missing or empty gets it as its first
    item.
    """
    node = document.node(f"/{key}")
    if node is None and document.is_flow(""):
        return _in_flow(document, document.root, f"{json.dumps(key)}: [{json.dumps(value)}]")
    if node is None:
        end = len(document.text)
        before = "\n" if document.text.endswith("\n") else "\n\n"
        return Edit(end, end, f"{before}{key}:\n{indent(text, '  ')}")
    if document.is_flow(f"/{key}") and (node.kids or document.is_flow("")):
        return _in_flow(document, node, json.dumps(value))
    if not node.kids:
        return Edit(node.start, node.end, f"\n{indent(text, '  ')}".removesuffix("\n"))
    return _in_block(document, node, text)


def _in_flow(document: Document, node: Node, item: str) -> Edit:
    """Return the edit that adds an item before the bracket that closes a list or an object."""
    text = document.text
    last = len(text[: node.end - 1].rstrip())
    separator = " "
    if "\n" in text[node.start : node.end - 1]:  # an item on a line of its own, as deep as the last
        separator = "\n" + indentation(text, last)
    kids = list(node.kids.values()) if isinstance(node.kids, dict) else node.kids or []
    ends = max((kid.node.end for kid in kids), default=last)
    after = text[ends:last]
    without_remarks = _REMARK.sub("", after).strip()
    if "#" in after and without_remarks in ("", ","):  # the comma goes before the comment
        comma = "" if without_remarks else ","
        return Edit(ends, last, f"{comma}{after}{separator}{item}")
    comma = "" if text[last - 1] in "[{," else ","
    return Edit(last, last, f"{comma}{separator}{item}")


def _in_block(document: Document, node: Node, text: str) -> Edit:
    """Return the edit that adds an item below the last, and below the comments that belong to it."""
    first = line_start(document.text, node.start)
    dash = _DASH.search(document.text, first)  # an anchor may come before it
    margin = len(dash[1]) if dash else node.start - first
    ends = max(  # a block's end is below it, and that of an alias is where its anchor is
        end_of(document, node), len(_BELOW.sub("", document.text[: node.end], 1))
    )
    last = document.text[:ends].rstrip()
    end = document.text.find("\n", len(last)) + 1 or len(document.text)
    while (comment := _COMMENT.match(document.text, end)) and len(comment[1]) > margin:
        end = comment.end()
    before = "" if document.text[:end].endswith("\n") else "\n"
    after = "\n" if document.text[end:].strip() and document.text[end] != "\n" else ""
    return Edit(end, end, f"{before}\n{indent(text, ' ' * margin)}{after}")
