"""Whether a fault is true: the keyword refuses the value, says the engine, and it is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scaffold.jsonschema.faults import Fault, validator

BESIDE = {"additionalProperties": ("properties", "patternProperties")}
"""The keywords that others mean something different without."""


def value_at(value: Any, path: tuple[str | int, ...]) -> Any:
    """What lies at a path. Raises KeyError, IndexError or TypeError."""
    for part in path:
        value = value[part]
    return value


def is_true(fault: Fault, root: Mapping[str, Any]) -> bool:
    """Whether the keyword of a fault refuses the value at its path, or all of its schema does."""
    schema, value = fault.spot.schema, fault.spot.value
    if schema is False:
        return True
    keywords = (fault.keyword, *BESIDE.get(fault.keyword, ()))
    rule = {key: schema[key] for key in keywords if key in schema} if fault.keyword else schema
    rule = dict(rule) | {key: root[key] for key in ("$defs", "$schema") if key in root}
    return not validator(rule).is_valid(value)
