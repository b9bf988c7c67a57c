"""Which parts of a schema get functions of their own."""

from __future__ import annotations

from scaffold.python.validators.node import Node
from scaffold.python.validators.references import reached
from scaffold.python.validators.silence import is_one_decision, is_silent

DEEPEST = 3
"""How deep statements are nested before a part gets a function for that alone."""


def is_separate(node: Node) -> bool:
    """Return whether a part gets a function wherever it is used."""
    graph, pointer = node.graph, node.part.pointer
    if node.is_doubled or (node.is_recursive and pointer in graph.targets):
        return True
    if pointer in graph.shared and (len(node.asserting) > 2 or node.children()):
        return True
    return not node.quiet and is_silent(node) and not is_one_decision(node)


def is_evaluated_apart(node: Node) -> bool:
    """Return whether a part gets a function that finds what it evaluates."""
    graph, pointer = node.graph, node.part.pointer
    return pointer in graph.targets and (
        pointer in graph.shared or node.is_recursive or node.is_doubled
    )


def is_large(node: Node) -> bool:
    """Return whether a part inside a value reads better in a function."""
    return bool(node.children().keys() - {"items", "anyOf", "oneOf", "not"})


def resolved(node: Node) -> Node:
    """Return what a node stands for that is nothing but a reference."""
    while node.asserting == {"$ref"} and (node.quiet or not is_silent(node)):
        target = reached(node)
        if target is None:
            break
        node = target
    return node
