"""Checks of templates that extend another: Jinja drops unknown blocks, and text outside of blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from jinja2 import nodes

from scaffold.diagnostics import Diagnostic
from scaffold.packs.pack import Pack
from scaffold.packs.table import suggestion
from scaffold.render.sandbox import MISTAKES, Sandbox

_OUTPUT = (nodes.Output, nodes.Include, nodes.CallBlock, nodes.FilterBlock)
_SUPER = "`{{ super() }}` inserts the original text"
_SILENT = (nodes.Macro, nodes.AssignBlock)


class _Child(NamedTuple):
    """A template that extends `parent`: its blocks, and the lines with text outside of them.

    The blocks `within` are in a condition or a loop, which Jinja does not look at. Without a
    `parent`, the tag at `line` names one that is only known when the template is rendered.
    """

    line: int
    parent: str | None
    blocks: Sequence[nodes.Block]
    dropped: Sequence[int]
    within: Sequence[nodes.Block]


def lost(
    layers: Sequence[Pack], sandbox: Sandbox, unchanged: Collection[str] = ()
) -> Iterator[Diagnostic]:
    """Yield an error for each text that Jinja would drop from a template that extends another.

    `unchanged` are the layers that have not changed since the last run: a block that is missing now
    went away with a new version of a lower layer. Built-in layers are not checked.
    """
    for pack in layers:
        for path, text in () if pack.builtin else pack.templates.items():
            if not (child := _child(text, sandbox)):
                continue
            file, origin = str(pack.folder / path), f"@{pack.name}/{path}"
            if child.parent is None:
                message = f"`extends` depends on a condition or a variable (in `{origin}`)"
                hint = f"extend one path, and put the condition into its blocks: {_SUPER}"
                yield Diagnostic("template-extends", message, sandbox.place(file, child.line), hint)
                continue
            for line in child.dropped:
                message = f"text outside blocks has no effect (in `{origin}`)"
                hint = f"put it in a block of `{child.parent}`"
                yield Diagnostic("template-text", message, sandbox.place(file, line), hint)
            for block in child.within:
                message = f"the tags around the block `{block.name}` have no effect (in `{origin}`)"
                hint = f"put them into the block: {_SUPER}"
                place = sandbox.place(file, block.lineno)
                yield Diagnostic("template-within", message, place, hint)
            known = _known(child.parent, sandbox)
            for block in child.blocks:
                if known is None or block.name in known:
                    continue
                place = sandbox.place(file, block.lineno)
                near = suggestion(block.name, known)
                if pack.name in unchanged:
                    message = f"`{child.parent}` no longer has a block `{block.name}`"
                    hint = f"move the text to another block ({near})" if near else "remove it"
                    yield Diagnostic("block-gone", f"{message} (in `{origin}`)", place, hint)
                else:
                    message = f"`{child.parent}` has no block `{block.name}` (in `{origin}`)"
                    yield Diagnostic("template-block", message, place, near)


def _child(text: str, sandbox: Sandbox) -> _Child | None:
    """Return what a template extends, and how; None if it extends nothing, or is not valid."""
    if "extends" not in text:
        return None
    try:
        tree = sandbox.parse(text)
    except MISTAKES:
        return None  # rendering reports it, if it is used
    body, tags = tree.body, [*tree.find_all(nodes.Extends)]
    if not tags:
        return None
    for tag in tags:
        if tag not in body or not isinstance(tag.template, nodes.Const):
            return _Child(tag.lineno, None, (), (), ())
        parent = str(tag.template.value)
    found = [*_outermost(body[body.index(tags[0]) + 1 :])]
    blocks = [node for node in found if isinstance(node, nodes.Block)]
    dropped = [line for node in found for line in _dropped(node)]
    within = [block for block in blocks if block not in body]
    return _Child(tags[0].lineno, parent, blocks, dropped, within)


def _outermost(body: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield the outermost blocks and outputs among nodes, also those in loops and conditions."""
    for node in body:
        if isinstance(node, (nodes.Block, *_OUTPUT)):
            yield node
        elif not isinstance(node, _SILENT):
            yield from _outermost([*node.iter_child_nodes()])


def _dropped(node: nodes.Node) -> Iterator[int]:
    """Yield the line of the first thing that an output would print, if any."""
    if not isinstance(node, _OUTPUT):
        return
    for part in node.nodes if isinstance(node, nodes.Output) else [node]:
        if not isinstance(part, nodes.TemplateData):
            yield part.lineno
            return
        if said := part.data.strip():
            yield part.lineno + part.data.partition(said)[0].count("\n")
            return


def _known(parent: str, sandbox: Sandbox) -> Collection[str] | None:
    """Return the blocks of a template and of all that it extends; None if that is unknown."""
    known: list[str] = []
    seen: set[str] = set()
    while parent not in seen:
        seen.add(parent)
        try:
            known += [name for name in sandbox.get_template(parent).blocks if name not in known]
            above = _child(sandbox.source(parent), sandbox)
        except MISTAKES:
            return None
        if above is None or above.parent is None:
            return known
        parent = above.parent
    return None
