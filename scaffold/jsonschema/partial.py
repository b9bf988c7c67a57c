"""A schema for parts of the values that another schema is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import HOLDERS

_WHOLE = frozenset({
    "required", "minProperties", "dependentRequired", "dependentSchemas", "dependencies", "not",
    "if", "then", "else", "contains", "minContains", "maxContains", "uniqueItems",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
"""Keywords that a part of a valid value may break."""


def partial(index: Index) -> Index:
    """Return a schema that accepts each part of a valid value: objects may lack properties."""
    return Index.of(_partial(index.root.schema, HOLDERS[index.dialect]), index.dialect)


def _partial(schema: Any, holders: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_partial(one, holders) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _WHOLE:
            continue
        if holders.get(key) == "map":
            kept[key] = {name: _partial(one, holders) for name, one in value.items()}
        elif key == "oneOf":  # A part may fit several alternatives.
            kept.setdefault("anyOf", _partial(value, holders))
        else:
            kept[key] = _partial(value, holders) if key in holders else value
    return kept
