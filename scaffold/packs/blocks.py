"""Checks of templates that extend another: Jinja drops unknown blocks, and text outside of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jinja2 import nodes

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import Filters
from scaffold.packs.pack import Pack
from scaffold.packs.sandbox import MISTAKES, Sandbox
from scaffold.packs.table import suggestion

_EFFECTIVE = (
    *(nodes.Block, nodes.Macro, nodes.Assign, nodes.AssignBlock),
    *(nodes.Import, nodes.FromImport),
)
"""What has an effect in a template that extends another."""

_TAG = r"[ \t]*\{%[^%]*%\}\n"
_ALONE = re.compile(
    r"^[ \t]*\{%\s*block\s+(?P<name>\w+)\b[^%]*%\}(?:(?!\{%\s*block\b).)*?\{%\s*endblock\b[^%]*%\}\n"
    rf"(?:{_TAG})*(?!{_TAG})(?=[^\n])",
    re.MULTILINE | re.DOTALL,
)
"""A block with lines of its own that text follows, with at most tags in between."""


class _Child(NamedTuple):
    """A template of a layer that extends `parent`, and its `body` after the tag at `line`.

    Without a `parent`, it is only known when the template is rendered.
    """

    pack: Pack
    path: str
    line: int
    parent: str | None
    body: Sequence[nodes.Node]

    @property
    def file(self) -> str:
        return str(self.pack.folder / self.path)

    @property
    def blocks(self) -> list[nodes.Block]:
        return [node for node in self.body if isinstance(node, nodes.Block)]


def lost(layers: Sequence[Pack], sandbox: Sandbox) -> Iterator[Diagnostic]:
    """Yield an error for each text that Jinja would drop from a template that extends another.

    Built-in layers are not checked.
    """
    for child in _children(layers, sandbox):
        origin = f"(in `@{child.pack.name}/{child.path}`)"
        if child.parent is None:
            message = f"`extends` depends on a condition or a variable {origin}"
            hint = "extend one path, and put the condition into its blocks"
            place = sandbox.place(child.file, child.line)
            yield Diagnostic("template-extends", message, place, hint)
            continue
        for line in filter(None, map(_dropped, child.body)):
            message = f"text and tags outside blocks have no effect {origin}"
            hint = f"put them in a block of `{child.parent}`: `{{{{ super() }}}}` inserts its text"
            yield Diagnostic("template-text", message, sandbox.place(child.file, line), hint)
        trees = [tree for _, tree in _above(child, sandbox)]
        known = [block.name for tree in trees for block in tree.find_all(nodes.Block)]
        for block in child.blocks:
            if trees and block.name not in known:
                message = f"`{child.parent}` has no block `{block.name}` {origin}"
                place = sandbox.place(child.file, block.lineno)
                yield Diagnostic("template-block", message, place, suggestion(block.name, known))


def joined(layers: Sequence[Pack], filters: Filters) -> Iterator[Diagnostic]:
    """Yield a warning for each block that a template fills without ending its last line.

    This is about blocks that have lines of their own in the templates that it extends.
    """
    sandbox = Sandbox(layers, filters)
    for child in _children(layers, sandbox):
        sources = [source for source, _ in _above(child, sandbox)]
        alone = {found["name"] for source in sources for found in _ALONE.finditer(source)}
        for block in child.blocks:
            if block.name in alone and not _is_ended(block):
                message = f"the last line of block `{block.name}` runs into the next line"
                hint = "put `{% endblock %}` on a line of its own"
                place = sandbox.place(child.file, block.lineno)
                yield Diagnostic("template-joined", message, place, hint, Severity.WARNING)


def _children(layers: Sequence[Pack], sandbox: Sandbox) -> Iterator[_Child]:
    for pack in layers:
        for path, text in () if pack.builtin else pack.templates.items():
            if "extends" in text and (child := _child(pack, path, sandbox)):
                yield child


def _child(pack: Pack, path: str, sandbox: Sandbox) -> _Child | None:
    """Return what a template extends, and how; None if it extends nothing, or is not valid."""
    try:
        tree = sandbox.parse(pack.templates[path])
    except MISTAKES:
        return None  # rendering reports it, if it is used
    tag = tree.find(nodes.Extends)
    if tag is None:
        return None
    if tag not in tree.body or not isinstance(tag.template, nodes.Const):
        return _Child(pack, path, tag.lineno, None, ())
    body = tree.body[tree.body.index(tag) + 1 :]
    return _Child(pack, path, tag.lineno, str(tag.template.value), body)


def _above(child: _Child, sandbox: Sandbox) -> list[tuple[str, nodes.Template]]:
    """Return the text and tree of each template that one extends; none if one is not valid."""
    found: list[tuple[str, nodes.Template]] = []
    parent = child.parent
    while parent:
        try:
            text = sandbox.source(parent)
            tree = sandbox.parse(text)
        except MISTAKES:
            return []
        if (text, tree) in found:  # it extends itself, which rendering reports
            return []
        found.append((text, tree))
        tag = tree.find(nodes.Extends)
        named = tag.template if tag else None
        parent = str(named.value) if isinstance(named, nodes.Const) else None
    return found


def _dropped(node: nodes.Node) -> int | None:
    """Return the line of the first thing in a node that Jinja drops; None if there is none."""
    if isinstance(node, _EFFECTIVE):
        return None
    if isinstance(node, nodes.If):  # What is set in it has an effect.
        inside = [*node.body, *node.elif_, *node.else_]
        is_lost = any(isinstance(one, nodes.Block) or _dropped(one) for one in inside)
        return node.lineno if is_lost else None
    for part in node.nodes if isinstance(node, nodes.Output) else [node]:
        if not isinstance(part, nodes.TemplateData):
            return part.lineno
        if said := part.data.strip():
            return part.lineno + part.data.partition(said)[0].count("\n")
    return None


def _is_ended(block: nodes.Block) -> bool:
    """Return whether the text of a block is empty or ends with a line end, tags aside."""
    last = block.body[-1] if block.body else None
    if not isinstance(last, nodes.Output):
        return True
    end = last.nodes[-1]
    if isinstance(end, nodes.TemplateData):
        return end.data.endswith("\n")
    return isinstance(end, nodes.Call) and end.node == nodes.Name("super", "load")
