"""The time to read a value of a union does not double with its depth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.python.packs import PYTHON, Schema, arguments_of, object_of

DEPTH = 24
SECONDS = 1.0
"""Of the processor. A value that is tried twice at each level takes ten times as long."""

HERE = {"$ref": "#/$defs/node"}


def tagged(tag: Schema, **properties: object) -> Schema:
    return {**object_of(kind=tag, **properties), "required": ["kind"]}


def of(*members: Schema) -> Schema:
    return {**object_of(node=HERE), "$defs": {"node": {"anyOf": [*members]}}}


RECURSIVE: dict[str, tuple[Schema, Callable[[Any], Any]]] = {
    "told apart by a constant": (
        of(*(tagged({"const": kind}, inner=HERE) for kind in "abc")),
        lambda inner: {"kind": "b", "inner": inner},
    ),
    "told apart by an enum of one": (
        of(*(tagged({"enum": [kind]}, inner={"type": "array", "items": HERE}) for kind in "ab")),
        lambda inner: {"kind": "b", "inner": [inner]},
    ),
    "told apart by nothing": (
        of(object_of(a=HERE), object_of(b=HERE, a=HERE)),
        lambda inner: {"a": inner},
    ),
    "of lists": (
        of(
            {"type": "array", "items": HERE},
            {"type": "array", "items": {"anyOf": [HERE, {"type": "integer"}]}},
            {"type": "object"},
        ),
        lambda inner: [inner],
    ),
    "of JSON": (
        of(
            {"type": ["string", "null"]},
            {"type": "array", "items": HERE},
            {"type": "object", "additionalProperties": HERE},
        ),
        lambda inner: [{"a": inner}],
    ),
}


@pytest.mark.parametrize("case", RECURSIVE)
def test_a_deep_value_of_a_recursive_union_is_parsed_quickly(case: str) -> None:
    schema, around = RECURSIVE[case]
    value: Any = {"a": {}} if "kind" not in around({}) else {"kind": around({})["kind"]}
    for _ in range(DEPTH):
        value = around(value)
    assert is_read_at_once(schema, {"node": value})


def test_nested_unions_are_tried_a_limited_number_of_times() -> None:
    defs: Schema = {
        f"a{n}": {
            "anyOf": [object_of(v={"$ref": f"#/$defs/a{n + 1}"}, **{key: {}}) for key in "xy"]
        }
        for n in range(DEPTH)
    }
    defs[f"a{DEPTH}"] = {"type": "string"}
    value: Any = "end"
    for _ in range(DEPTH):
        value = {"v": value}
    assert is_read_at_once({**object_of(v={"$ref": "#/$defs/a0"}), "$defs": defs}, {"v": value})


def is_read_at_once(schema: Schema, value: object) -> bool:
    """Whether a value is read in little time, and all of it is there."""
    model = PYTHON.loaded(arguments_of(schema)).EchoArguments
    model.of_client({})
    start = time.process_time()
    read = model.of_client(value)
    assert read.model_dump(mode="json", exclude_unset=True) == value
    return time.process_time() - start < SECONDS
