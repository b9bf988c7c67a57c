"""Where the references of a schema lead, also into the schemas of the dialects."""

from __future__ import annotations

from functools import cache

from scaffold.jsonschema.subschema import UnresolvedError
from scaffold.python.validators.metaschemas import metaschema
from scaffold.python.validators.node import Node, root_of


def target_of(node: Node, keyword: str) -> Node | None:
    """Return what the reference of a keyword leads to."""
    target = node.graph.index.references(node.part).get(keyword)
    if isinstance(target, UnresolvedError):
        return _in_metaschema(target.target, str(node.part.keywords[keyword]))
    if target is None:
        return None
    there = node.at(target)
    if keyword == "$dynamicRef":
        name = target.keywords.get("$dynamicAnchor")
        if name == str(node.part.keywords[keyword]).partition("#")[2]:
            there = node.at(dict(there.scope).get(str(name), target))
    return there


def reached(node: Node) -> Node | None:
    """Return the target of `$ref` in which faults are found, or that decides."""
    return target_of(node, "$ref") if node.quiet else node.follow()


def followed(node: Node) -> Node:
    """Return the target of `$ref` in which faults are found, or the node itself."""
    return node.follow() or node if "$ref" in node.schema else node


def is_followed_whole(node: Node) -> bool:
    """Return whether a node says no more than what it is followed to."""
    return followed(node) is node or node.asserting == {"$ref"}


def _in_metaschema(uri: str, reference: str) -> Node | None:
    """Return the schema of a dialect, or the part of it that a reference leads to."""
    root = _metaschema_root(uri)
    if root is None:
        return None
    part = root.graph.index.all.get(reference.partition("#")[2])
    return root.at(part) if part else root


@cache
def _metaschema_root(uri: str) -> Node | None:
    index = metaschema(uri)
    return root_of(index).hushed() if index else None
