"""Checks of templates that extend another: Jinja drops unknown blocks, and text outside of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jinja2 import nodes

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import Filters
from scaffold.packs.pack import Pack, block_texts
from scaffold.packs.sandbox import MISTAKES, Sandbox
from scaffold.packs.table import suggestion

_EFFECTIVE = (
    *(nodes.Block, nodes.Macro, nodes.Assign, nodes.AssignBlock),
    *(nodes.Import, nodes.FromImport),
)
"""The nodes that have an effect in a template that extends another."""

_TAG = r"[ \t]*\{%[^%]*%\}\n"
_ALONE = re.compile(
    r"^[ \t]*\{%\s*block\s+(?P<name>\w+)\b[^%]*%\}(?:(?!\{%\s*block\b).)*?\{%\s*endblock\b[^%]*%\}\n"
    rf"(?:{_TAG})*(?!{_TAG})(?=[^\n])",
    re.MULTILINE | re.DOTALL,
)
"""A block with lines of its own that text follows, with at most tags in between."""


def lost(layers: Sequence[Pack], sandbox: Sandbox) -> Iterator[Diagnostic]:
    """Yield an error for each text that Jinja would drop from a template that extends another.

    Built-in layers are not checked.
    """
    for pack, path, tree in _children(layers, sandbox):
        for id, line, message, hint in _lost(tree, sandbox):
            place = sandbox.place(str(pack.folder / path), line)
            yield Diagnostic(id, f"{message} (in `@{pack.name}/{path}`)", place, hint)


def _lost(tree: nodes.Template, sandbox: Sandbox) -> Iterator[tuple[str, int, str, str | None]]:
    """Yield the id, line, message and hint of each fault in a template that extends another."""
    tag = tree.find(nodes.Extends)
    assert tag is not None
    if tag not in tree.body or not isinstance(tag.template, nodes.Const):
        message = "`extends` depends on a condition or a variable"
        hint = "extend one path, and put the condition into its blocks"
        yield "template-extends", tag.lineno, message, hint
        return
    parent, body = tag.template.value, tree.body[tree.body.index(tag) + 1 :]
    for line in filter(None, map(_dropped, body)):
        hint = f"put them in a block of `{parent}`: `{{{{ super() }}}}` inserts its text"
        yield "template-text", line, "text and tags outside blocks have no effect", hint
    above = _above(tree, sandbox)
    known = [name for source in above for name in block_texts(source)]
    for block in _blocks(tree):
        if above and block.name not in known:
            message = f"`{parent}` has no block `{block.name}`"
            yield "template-block", block.lineno, message, suggestion(block.name, known)


def joined(layers: Sequence[Pack], filters: Filters) -> Iterator[Diagnostic]:
    """Yield a warning for each block that a template fills without ending its last line.

    This is about blocks that have lines of their own in the templates that it extends.
    """
    sandbox = Sandbox(layers, filters)
    for pack, path, tree in _children(layers, sandbox):
        above = _above(tree, sandbox)
        alone = {match["name"] for source in above for match in _ALONE.finditer(source)}
        for block in _blocks(tree):
            if block.name in alone and not _is_ended(block):
                message = f"the last line of block `{block.name}` runs into the next line"
                hint = "put `{% endblock %}` on a line of its own"
                place = sandbox.place(str(pack.folder / path), block.lineno)
                yield Diagnostic("template-joined", message, place, hint, Severity.WARNING)


def _children(
    layers: Sequence[Pack], sandbox: Sandbox
) -> Iterator[tuple[Pack, str, nodes.Template]]:
    """Yield the templates that extend another, parsed, but for those of built-in layers."""
    for pack in layers:
        for path, text in () if pack.builtin else pack.templates.items():
            if "extends" not in text:
                continue
            try:
                tree = sandbox.parse(text)
            except MISTAKES:
                continue  # rendering reports it, if it is used
            if tree.find(nodes.Extends):
                yield pack, path, tree


def _blocks(tree: nodes.Template) -> list[nodes.Block]:
    return [node for node in tree.body if isinstance(node, nodes.Block)]


def _above(tree: nodes.Template, sandbox: Sandbox) -> list[str]:
    """Return the texts of the templates that one extends; none if one is not valid."""
    texts: list[str] = []
    while (tag := tree.find(nodes.Extends)) and isinstance(tag.template, nodes.Const):
        try:
            pack, path = sandbox.find(str(tag.template.value))
            tree = sandbox.parse(pack.templates[path])
        except MISTAKES:
            return []
        if pack.templates[path] in texts:  # it extends itself, which rendering reports
            return []
        texts.append(pack.templates[path])
    return texts


def _dropped(node: nodes.Node) -> int | None:
    """Return the line of the first thing in a node that Jinja drops; None if there is none."""
    if isinstance(node, _EFFECTIVE):
        return None
    if isinstance(node, nodes.If):  # What is set in it has an effect.
        inside = [*node.body, *node.elif_, *node.else_]
        is_lost = any(isinstance(inner, nodes.Block) or _dropped(inner) for inner in inside)
        return node.lineno if is_lost else None
    for part in node.nodes if isinstance(node, nodes.Output) else [node]:
        if not isinstance(part, nodes.TemplateData):
            return part.lineno
        if text := part.data.strip():
            return part.lineno + part.data.partition(text)[0].count("\n")
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
