"""Arguments that are made up from a schema are ones that it accepts."""

from __future__ import annotations

from typing import Any

import pytest

from scaffold.schema.index import Index
from scaffold.schema.valid import valid_arguments

TREE = {
    "type": "object",
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {"left": {"$ref": "#/$defs/tree"}, "value": {"type": "integer"}},
            "required": ["value"],
        }
    },
    "properties": {"tree": {"$ref": "#/$defs/tree"}},
    "required": ["tree"],
}
SCHEMAS: dict[str, tuple[dict[str, Any], Any]] = {
    "text": ({"type": "string"}, "example"),
    "long text": ({"type": "string", "minLength": 9}, "examplexx"),
    "short text": ({"type": "string", "maxLength": 2}, "ex"),
    "day": ({"type": "string", "format": "date"}, "2026-01-31"),
    "pattern": ({"type": "string", "pattern": "^[A-Z]+-[0-9]+$"}, "AB-1"),
    "choice": ({"enum": ["fast", "exact"]}, "fast"),
    "default": ({"type": "integer", "default": 5}, 5),
    "example": ({"type": "string", "examples": ["main"]}, "main"),
    "least": ({"type": "integer", "minimum": 7}, 7),
    "more than": ({"type": "number", "exclusiveMinimum": 7}, 8),
    "at most": ({"type": "integer", "maximum": -3}, -3),
    "step": ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
    "list": ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [False, False]),
    "empty list": ({"type": "array"}, []),
    "alternatives": ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, None),
    "object": ({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]}, {"a": None}),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_simplest_value_of_a_schema_is_made_up(name: str) -> None:
    schema, value = SCHEMAS[name]
    root = {"type": "object", "properties": {"x": schema, "other": {}}, "required": ["x"]}
    assert valid_arguments(Index.of(root)) == {"x": value}


def test_a_recursive_schema_comes_to_an_end() -> None:
    assert valid_arguments(Index.of(TREE)) == {"tree": {"value": 1}}
    endless = {**TREE["$defs"]["tree"], "required": ["left"]}  # type: ignore[index]
    assert valid_arguments(Index.of({**TREE, "$defs": {"tree": endless}})) is None
    assert valid_arguments(Index.of({"type": "object", "minProperties": 9})) is None
