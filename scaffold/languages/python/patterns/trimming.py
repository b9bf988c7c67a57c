"""Patterns without the rounds of loops that decide nothing."""

from __future__ import annotations

from scaffold.schema.regular.syntax import (
    Assertion,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)


def trimmed(tree: Node) -> Node:
    """Return a pattern that is found in the same texts, without rounds that decide nothing.

    A loop at the end need not go on, and one at the start of a search need not have begun earlier.
    """
    if _refers(tree):
        return tree
    tree = _trimmed(tree, -1)
    return tree if is_anchored(tree) else _trimmed(tree, 0)


def _trimmed(tree: Node, end: int) -> Node:
    match tree:
        case Sequence(parts) if parts:
            changed = [*parts]
            changed[end] = _trimmed(parts[end], end)
            return Sequence(tuple(changed))
        case Choice(parts):
            return Choice(tuple(_trimmed(part, end) for part in parts))
        case Group(opening, body) if not tree.looks:
            return Group(opening, _trimmed(body, end))
        case Repeated(body, _, least):
            if least == 0:
                return Sequence(())
            if least == 1:
                return _trimmed(body, end)
            return Repeated(body, f"{{{least}}}", least, least)
    return tree


def _refers(tree: Node) -> bool:
    match tree:
        case Sequence(parts) | Choice(parts):
            return any(map(_refers, parts))
        case Group(body=body) | Repeated(body=body):
            return _refers(body)
    return isinstance(tree, Reference)


def is_anchored(tree: Node) -> bool:
    """Return whether a pattern is only found at the start of the text."""
    match tree:
        case Assertion(source):
            return source == "^"
        case Sequence(parts) if parts:
            return is_anchored(parts[0])
        case Choice(parts):
            return all(map(is_anchored, parts))
        case Group(body=body) if not tree.looks:
            return is_anchored(body)
    return False
