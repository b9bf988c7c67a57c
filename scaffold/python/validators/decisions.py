"""Whether a value fits a schema, as an expression."""

from __future__ import annotations

from scaffold.jsonschema.faults import types_of
from scaffold.python.validators.conditions import ALWAYS, NEVER, Condition, call
from scaffold.python.validators.module import Module
from scaffold.python.validators.node import Node
from scaffold.python.validators.references import target_of
from scaffold.python.validators.separate import resolved


def decided(module: Module, node: Node, value: str) -> Condition:
    """Return whether a value fits, without a call if that is as short."""
    node = resolved(node.hushed())
    if node.is_never:
        return NEVER
    schema = node.schema
    match [*node.asserting]:
        case ["type"]:
            return module.of_type(value, types_of(dict(schema)))
        case ["enum"]:
            return module.among(value, schema["enum"])
        case ["const"]:
            return module.among(value, [schema["const"]])
        case ["$dynamicRef"] if target := target_of(node, "$dynamicRef"):
            return decided(module, target, value)
    return decided_by_call(module, node, value)


def decided_by_call(module: Module, node: Node, value: str) -> Condition:
    """Return what a function says that decides."""
    if not node.asserting:
        return ALWAYS
    return call(module.test_of(node), value, *(["at"] if node.is_endless else []))
