"""Schemas: all that JSON Schema allows is accepted, and nothing leaves the file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scaffold.schema.check import MAX_SCHEMAS, faults
from scaffold.schema.index import Index
from scaffold.yaml.source import parse

SUITE = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
}


def ids(schema: dict[str, Any]) -> list[str]:
    """The ids of what is found in a schema."""
    return [finding.id for finding in faults(Index(schema), "", parse(json.dumps(schema)))]


def test_only_schemas_of_the_test_suite_with_external_references_are_refused(corpus: Path) -> None:
    counts: Counter[str] = Counter()
    for draft, dialect in SUITE.items():
        for path in (corpus / "json-schema-test-suite" / draft).rglob("*.json"):
            for group in json.loads(path.read_text(encoding="utf-8")):
                if isinstance(group["schema"], dict):
                    schema = {"$schema": dialect, **group["schema"]}
                    counts.update(set(ids(schema)) or ["right"])
    assert counts.keys() == {"right", "remote-reference", "unknown-dialect", "bad-pattern"}
    assert counts["right"] > 700
    assert counts["unknown-dialect"] == 4, "meta-schemas of the suite's own"
    assert counts["bad-pattern"] == 4, r"\p{digit}, which is not ECMA-262"


def test_no_reference_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", connect)
    for reference in (
        "http://127.0.0.1:9/schema.json",
        "https://127.0.0.1:9/schema.json#/$defs/a",
        "file:///etc/hostname",
        "//127.0.0.1:9/schema.json",
        "other.json",
        "ftp://127.0.0.1/x",
        "http://json-schema.org/draft-07/schema#",  # known to validators of draft-07 alone
    ):
        schema = {"type": "object", "properties": {"a": {"$ref": reference}}}
        assert ids(schema) == ["remote-reference"]
        with pytest.raises(ValueError, match=r"retriev|not present|base"):
            _ = Index(schema).validator


def test_references_within_the_schema_resolve() -> None:
    schema = {
        "type": "object",
        "properties": {
            "pointer": {"$ref": "#/$defs/a~1b"},
            "percent": {"$ref": "#/$defs/a%20b"},
            "anchor": {"$ref": "#here"},
            "dynamic": {"$dynamicRef": "#there"},
            "id": {"$ref": "urn:example:inner#/$defs/z"},
            "relative": {"$ref": "inner.json"},
            "whole": {"$ref": "#"},
            "elsewhere": {"$ref": "#/components/schemas/Post"},
            "dialect": {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        },
        "components": {
            "schemas": {"Post": {"items": {"$ref": "#/components/schemas/Tag"}, "Tag": 1}}
        },
        "$defs": {
            "a/b": True,
            "a b": {"$anchor": "here"},
            "c": {"$dynamicAnchor": "there"},
            "d": {"$id": "urn:example:inner", "$defs": {"z": {}}},
            "e": {"$id": "inner.json"},
        },
    }
    assert ids(schema) == ["dangling-reference"]
    schema["components"]["schemas"]["Tag"] = {"type": "string"}  # type: ignore[index]
    assert ids(schema) == []
    assert "/components/schemas/Tag" in Index(schema).all


def test_values_that_look_like_schemas_are_not_checked_as_schemas() -> None:
    value = {"$ref": "#/nope", "type": "strng", "pattern": "("}
    schema = {
        "type": "object",
        "properties": {
            "a": {"enum": [value], "const": value, "default": value, "examples": [value]}
        },
        "x-anything": {"properties": value},
    }
    assert ids(schema) == []


def test_recursion_that_goes_deeper_into_the_value_is_fine() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/node"}}, "items": {"allOf": [{"$ref": "#"}]}}
    assert ids({"type": "object", "$ref": "#/$defs/node", "$defs": {"node": node}}) == []


@pytest.mark.parametrize(
    "definitions",
    [
        {"a": {"$ref": "#/$defs/a"}},
        {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}},
        {"a": {"if": {"$ref": "#/$defs/a"}}},
        {"a": {"dependentSchemas": {"x": {"$ref": "#/$defs/a"}}}},
    ],
)
def test_recursion_at_the_same_value_is_refused(definitions: dict[str, Any]) -> None:
    assert ids({"type": "object", "$ref": "#/$defs/a", "$defs": definitions}) == ["endless-schema"]


def test_definitions_that_multiply_are_refused() -> None:
    def fan(levels: int) -> dict[str, Any]:
        each = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)}
        return {"type": "object", "$ref": "#/$defs/a0", "$defs": {**each, f"a{levels}": {}}}

    assert ids(fan(8)) == []
    assert ids(fan(30)) == ["expensive-schema"]


def test_more_schemas_than_a_tool_can_need_are_refused() -> None:
    def lists(count: int) -> dict[str, Any]:
        return {"type": "object", "properties": {f"a{n}": {} for n in range(count)}}

    assert ids(lists(MAX_SCHEMAS - 1)) == []  # the schema itself counts
    assert ids(lists(MAX_SCHEMAS)) == ["expensive-schema"]


def test_a_schema_has_one_dialect() -> None:
    def inside(dialect: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"a": {"$schema": dialect, "type": "string"}}}

    assert ids(inside(SUITE["draft2020-12"])) == []
    assert ids(inside(SUITE["draft7"])) == ["unknown-dialect"]
    assert ids({"$schema": SUITE["draft7"], **inside(SUITE["draft2020-12"])}) == ["unknown-dialect"]


def test_a_chain_of_any_length_is_followed() -> None:
    chain = {f"a{n}": {"items": {"$ref": f"#/$defs/a{n + 1}"}} for n in range(3000)}
    assert ids({"type": "object", "$ref": "#/$defs/a0", "$defs": {**chain, "a3000": {}}}) == []
    far = {f"a{n}": {"items": {"$ref": f"#/x/a{n + 1}"}} for n in range(3000)}
    assert ids({"type": "object", "$ref": "#/x/a0", "x": {**far, "a3000": {}}}) == []
