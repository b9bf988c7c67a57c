"""Whether a value fits its schema, and in which words it does not: those of the engine."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from templates.python.runtime.catalog import LONGEST_FAULT, MOST_FAULTS, Schema

TEXT = {"type": "string"}
BLOCK = {
    "oneOf": [
        {"properties": {"type": {"const": "text"}, "text": TEXT}, "required": ["type", "text"]},
        {"properties": {"type": {"const": "rows"}, "rows": {"type": "array", "items": {"$ref": "#/$defs/block"}}}, "required": ["type", "rows"]},
    ]
}  # fmt: skip
WORDS: Mapping[str, tuple[Any, Any, list[str]]] = {
    "type": (TEXT, 7, ['/: 7 is not of type "string"']),
    "types": ({"type": ["string", "null"]}, 7, ['/: 7 is not of types "null", "string"']),
    "required": ({"required": ["a", "b"]}, {}, ['/: "a" is a required property', '/: "b" is a required property']),
    "minimum": ({"minimum": 1}, 0, ["/: 0 is less than the minimum of 1"]),
    "enum": ({"enum": ["a", "b"]}, "c", ['/: "c" is not one of "a" or "b"']),
    "const": ({"const": "a"}, "c", ['/: "a" was expected']),
    "pattern": ({"pattern": "^a"}, "c", ['/: "c" does not match "^a"']),
    "minLength": ({"minLength": 1}, "", ['/: "" is shorter than 1 character']),
    "format": ({"format": "date"}, "today", ['/: "today" is not a "date"']),
    "date-time in draft-07": ({"$schema": "http://json-schema.org/draft-07/schema#", "format": "date-time"}, "noon", ['/: "noon" is not a "date-time"']),
    "additionalProperties": ({"properties": {"b": {}}, "additionalProperties": False}, {"a": 1}, ["/: Additional properties are not allowed ('a' was unexpected)"]),
    "path": ({"properties": {"a": {"items": TEXT}}}, {"a": ["b", 1]}, ['/a/1: 1 is not of type "string"']),
    "nearest choice": (BLOCK | {"$defs": {"block": BLOCK}}, {"type": "rows", "rows": [{"type": "text"}]}, ['/: fits no choice; of the nearest: /rows/0: fits no choice; of the nearest: /rows/0: "text" is a required property']),
    "two choices": ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 1, ["/: 1 is valid under more than one of the schemas listed in the 'oneOf' keyword"]),
    "contentEncoding": ({"contentEncoding": "base64"}, "%%", ["/: Only base64 data is allowed"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WORDS)
def test_the_words_of_a_fault(case: str) -> None:
    schema, value, expected = WORDS[case]
    assert Schema(schema).faults(value) == expected


def test_a_value_that_fits_has_no_faults() -> None:
    assert Schema(BLOCK | {"$defs": {"block": BLOCK}}).faults({"type": "rows", "rows": []}) == []
    assert Schema({"contentEncoding": "base64"}).faults("e30g") == []


def test_no_more_faults_are_told_than_a_model_can_use() -> None:
    assert len(Schema({"items": TEXT}).faults([1] * 100)) == MOST_FAULTS


def test_the_text_of_a_fault_is_bounded() -> None:
    [fault] = Schema({"maxLength": 3}).faults("x" * 40_000)
    assert len(fault) < LONGEST_FAULT + 10
    assert fault.endswith("is longer than 3 characters")


def nested(depth: int) -> dict[str, Any]:
    """Blocks in blocks, the innermost wrong: each level has two choices."""
    inner: dict[str, Any] = {"type": "text"}
    for _ in range(depth):
        inner = {"type": "rows", "rows": [inner]}
    return inner


LARGE: Mapping[str, tuple[Any, Any]] = {
    "a million wrong items": ({"items": {"type": "integer"}}, ["x"] * 1_000_000),
    "wrong at the end": ({"items": {"type": "integer"}}, [1] * 1_000_000 + ["x"]),
    "wrong choices at each of many levels": (BLOCK | {"$defs": {"block": BLOCK}}, nested(60)),
    "a long text": ({"pattern": r"^\p{L}{1,64}$"}, "1" * 1_000_000),
    "many names": ({"propertyNames": {"maxLength": 2}}, {f"name{n}": 1 for n in range(50_000)}),
}


@pytest.mark.parametrize("case", LARGE)
def test_a_large_value_is_refused_at_once(case: str) -> None:
    schema, value = LARGE[case]
    begun = time.thread_time()
    faults = Schema(schema).faults(value)
    assert faults
    assert len("".join(faults)) < 20_000
    assert time.thread_time() - begun < 2


def test_nothing_is_fetched_that_a_schema_refers_to() -> None:
    with pytest.raises(Exception, match=r"example\.invalid"):
        Schema({"$ref": "https://example.invalid/schema.json"})
