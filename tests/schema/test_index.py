"""The index of a schema: references of both dialects, and what an object has wherever it is said."""

from __future__ import annotations

import time
from typing import Any

import pytest
from jsonschema_rs import validator_map_for

from scaffold.schema.describe import describe
from scaffold.schema.index import Index
from scaffold.schema.resolver import Subschema, UnresolvedError

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def led_to(schema: dict[str, Any], at: str) -> str:
    """The pointer that the reference of the schema at a pointer leads to."""
    index = Index(schema)
    (target,) = index.references(index.all[at]).values()
    if isinstance(target, UnresolvedError):
        raise target
    assert isinstance(target, Subschema)
    return target.pointer


def test_an_id_beside_a_reference_counts_in_2020_12_and_not_in_draft_07() -> None:
    schema = {
        "properties": {"a": {"$id": "http://x.example/y", "$ref": "#/definitions/a"}},
        "definitions": {"a": {"type": "string"}},
    }
    assert led_to({"$schema": DRAFT_07, **schema}, "/properties/a") == "/definitions/a"
    with pytest.raises(UnresolvedError):
        led_to(schema, "/properties/a")


@pytest.mark.parametrize(
    "root",
    [
        {"$ref": "#/$defs/base"},
        {"allOf": [{"$ref": "#/$defs/base"}]},
        {"allOf": [{"allOf": [{"$ref": "#here"}]}]},
        {"$ref": "http://example.com/base"},
    ],
)
def test_arguments_can_be_described_by_a_reference_at_the_root(root: dict[str, Any]) -> None:
    base = {"properties": {"a": {"$ref": "#/$defs/text"}}, "required": ["a"]}
    named = {"$anchor": "here", **base}
    if "http" in str(root):
        named = {"$id": "http://example.com/base", **base, "$defs": {"text": {"type": "string"}}}
    schema = {"type": "object", **root, "$defs": {"text": {"type": "string"}, "base": named}}
    (argument,) = describe(Index(schema))
    assert (argument.name, argument.type, argument.required) == ("a", "string", True)


def test_draft_07_has_no_arguments_beside_a_reference() -> None:
    schema = {
        "$schema": DRAFT_07,
        "$ref": "#/definitions/base",
        "properties": {"beside": {}},
        "definitions": {"base": {"properties": {"a": {"type": "integer"}}}},
    }
    assert [row.name for row in describe(Index(schema))] == ["a"]


def test_an_endlessly_growing_type_has_a_short_description() -> None:
    levels = {
        f"a{n}": {
            "anyOf": [
                {"type": "array", "items": {"$ref": f"#/$defs/a{n + 1}"}},
                {
                    "type": "array",
                    "items": {"anyOf": [{"$ref": f"#/$defs/a{n + 1}"}, {"const": n}]},
                },
            ]
        }
        for n in range(60)
    }
    schema = {"properties": {"v": {"$ref": "#/$defs/a0"}}, "$defs": {**levels, "a60": {"const": 1}}}
    (argument,) = describe(Index(schema))
    assert len(argument.type) < 1000


def test_the_notes_of_a_property_say_how_its_content_is_encoded() -> None:
    data = {"type": "string", "contentEncoding": "base64", "contentMediaType": "application/json"}
    (argument,) = describe(Index({"type": "object", "properties": {"data": data}}))
    assert argument.notes == "encoding base64, media type application/json"


def test_long_chains_that_many_properties_refer_to_are_described_in_little_time() -> None:
    size = 1000
    links = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}]} for n in range(size)}
    properties = {f"p{n}": {"$ref": f"#/$defs/a{n}"} for n in range(size)}
    schema = {"properties": properties, "$defs": {**links, f"a{size}": {"type": "string"}}}
    started = time.process_time()
    described = describe(Index(schema))
    assert time.process_time() - started < 20
    assert [row.type for row in described[-3:]] == ["string"] * 3


def test_properties_that_an_object_only_requires_are_described_too() -> None:
    filter = {"type": "object", "required": ["since"]}
    described = describe(Index({"type": "object", "properties": {"filter": filter}}))
    assert [row.name for row in described] == ["filter", "filter.since"]


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
def test_a_shared_validator_decides_like_separate_ones(dialect: dict[str, str]) -> None:
    schema = {**dialect, **SCHEMA}
    index = Index(schema)
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
    index = Index({"$defs": definitions, "$ref": "#/$defs/d0"})
    start = time.thread_time()
    assert all(index.accepts(index.all[f"/$defs/{name}"], 1) for name in names)
    assert time.thread_time() - start < 3
