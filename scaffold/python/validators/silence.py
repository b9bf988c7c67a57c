"""Which schemas may refuse a value without words of their own."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold.python.validators.node import Node
from scaffold.python.validators.references import followed, is_followed_whole

_DECIDING = frozenset({
    "not", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef",
})  # fmt: skip
"""Keywords that cannot say what is wrong."""


def is_silent(node: Node) -> bool:
    """Return whether a value may be refused without words."""
    if not node.is_explored:
        return True
    if not _DECIDING.isdisjoint(node.asserting):
        return True
    if "dependencies" in node.schema and not node.is_draft_7:
        return True
    if "$ref" in node.schema:
        target = node.follow()
        if target is None or target.is_doubled:
            return True
    choices = node.asserting & {"anyOf", "oneOf"}
    return any(_is_silent_choice(node.children().get(key, [])) for key in choices)


def _is_silent_choice(options: Sequence[Node]) -> bool:
    return all(followed(option).is_never for option in options) or any(
        followed(option).is_doubled or not is_followed_whole(option) for option in options
    )


def is_one_decision(node: Node) -> bool:
    """Return whether a node that is silent has one keyword, which decides."""
    if len(node.asserting) != 1 or not node.is_explored:
        return False
    (keyword,) = node.asserting
    if keyword == "$ref":
        return node.follow() is None
    return keyword in _DECIDING
