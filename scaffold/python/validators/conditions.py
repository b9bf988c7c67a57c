"""Tests of a value as Python expressions: its type, and which values it equals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from scaffold.jsonschema.keywords import TYPES
from scaffold.python.expressions import literal

_CLASSES = {"string": "str", "object": "dict", "array": "list", "boolean": "bool"}
_MANY = 8


class Condition(NamedTuple):
    """An expression that is true, and one that is false, for the same values."""

    true: str
    false: str

    @property
    def is_certain(self) -> bool:
        """Whether it is true for every value."""
        return self.true == "True"


ALWAYS = Condition("True", "False")
NEVER = Condition("False", "True")


def call(function: str, *arguments: str) -> Condition:
    """Return the condition that a function returns true."""
    expression = f"{function}({', '.join(arguments)})"
    return Condition(expression, f"not {expression}")


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that one or more of these are true."""
    if any(one.is_certain for one in conditions):
        return ALWAYS
    conditions = [one for one in conditions if one != NEVER]
    if len(conditions) < 2:
        return conditions[0] if conditions else NEVER
    true = " or ".join(one.true for one in conditions)
    return Condition(f"({true})", " and ".join(one.false for one in conditions))


def of_type(value: str, types: Iterable[str]) -> Condition:
    """Return the condition that a value has one of these JSON types."""
    types = [*dict.fromkeys(types)]
    if {*TYPES} - {"integer"} <= {*types}:
        return ALWAYS
    classes = [_CLASSES[name] for name in types if name in _CLASSES]
    found: list[Condition] = []
    if classes:
        which = classes[0] if len(classes) == 1 else f"({', '.join(classes)})"
        found.append(call("isinstance", value, which))
    if "number" in types:
        found.append(call("is_number", value))
    elif "integer" in types:
        found.append(call("is_integer", value))
    if "null" in types:
        found.append(Condition(f"{value} is None", f"{value} is not None"))
    return any_of(found)


def among(value: str, allowed: Sequence[Any]) -> Condition:
    """Return the condition that a value equals one of these, in the sense of JSON."""
    if not allowed:
        return NEVER
    items = ", ".join(str(literal(one)) for one in allowed)
    kinds = {type(one) for one in allowed}
    if kinds == {str} and len(allowed) > _MANY:
        true = f"isinstance({value}, str) and {value} in {{{items}}}"
        return Condition(f"({true})", f"not isinstance({value}, str) or {value} not in {{{items}}}")
    if (kinds == {bool} and len(allowed) == 1) or allowed == [None]:
        return Condition(f"{value} is {items}", f"{value} is not {items}")
    if kinds <= {str, type(None)}:
        return _equal(value, items, len(allowed))
    if kinds <= {int, float}:
        true, false = _equal(value, items, len(allowed))
        return Condition(f"(is_number({value}) and {true})", f"(not is_number({value}) or {false})")
    if len(allowed) == 1:
        return call("is_same", value, items)
    return call("is_one_of", value, items)


def _equal(value: str, items: str, count: int) -> Condition:
    if count == 1:
        return Condition(f"{value} == {items}", f"{value} != {items}")
    return Condition(f"{value} in ({items})", f"{value} not in ({items})")
