"""Values are held against all parts of a schema by one engine, which agrees with one for each."""

from __future__ import annotations

import time
from typing import Any

import pytest
from jsonschema_rs import validator_map_for

from scaffold.schema.index import Index

NAMES = ["plain", "a/b", "~", "%41", "a b", "é", "#", "?", '"']
DEFAULTS: list[Any] = [1, "1", 9, None, 2, 10, [], 3, 4.5]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        name: {"$ref": "#/$defs/few", "type": "integer", "default": default}
        for name, default in zip(NAMES, DEFAULTS, strict=True)
    },
    "$defs": {"few": {"maximum": 3}},
}


@pytest.mark.parametrize("dialect", [{}, {"$schema": "http://json-schema.org/draft-07/schema#"}])
def test_one_engine_decides_as_many_do(dialect: dict[str, str]) -> None:
    schema = {**dialect, **SCHEMA}
    index = Index.of(schema)
    many = validator_map_for(schema, offline=True)
    for name, part in schema["properties"].items():
        at = "/properties/" + name.replace("~", "~0").replace("/", "~1")
        expected = many[f"#{at}"].is_valid(part["default"])
        assert index.accepts(index.all[at], part["default"]) == expected, name


def test_definitions_that_refer_to_each_other_are_compiled_once() -> None:
    names = [f"d{n}" for n in range(100)]
    definitions = {
        name: {"default": 1, "properties": {n: {"$ref": f"#/$defs/{n}"} for n in names}}
        for name in names
    }
    index = Index.of({"$defs": definitions, "$ref": "#/$defs/d0"})
    start = time.thread_time()
    assert all(index.accepts(index.all[f"/$defs/{name}"], 1) for name in names)
    assert time.thread_time() - start < 3
