"""What is wrong with a value is explained within a budget, whatever the value and the schema."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.schema.index import Index
from scaffold.schema.references import reference_faults
from tests.schema.made import Made
from tests.stdlib.runtime import faults_of, runtime
from tests.stdlib.test_engine import KNOWN

NODE = {"$ref": "#/$defs/node"}
STRING = {"type": "string"}


def recursive(node: dict[str, Any]) -> dict[str, Any]:
    return {**NODE, "$defs": {"node": {"type": "object", **node}}}


def kind(name: str) -> dict[str, Any]:
    children = {"children": {"type": "array", "items": NODE}}
    return {"type": "object", "properties": {**children, "kind": {"const": name}}}


def levels(keyword: str, count: int) -> dict[str, Any]:
    """Schemas that each refer twice to the next one."""
    below = {f"l{n}": {keyword: [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(count)}
    return {"$ref": "#/$defs/l0", "$defs": {**below, f"l{count}": STRING}}


def next_to(below: Any) -> Any:
    return {"next": below}


def chain(depth: int, leaf: Any, wrap: Callable[[Any], Any] = next_to) -> Any:
    for _ in range(depth):
        leaf = wrap(leaf)
    return leaf


NEXT = {"properties": {"next": NODE}}
SHAPES: dict[str, tuple[Any, Any]] = {
    "list or null": ({"anyOf": [{"items": STRING}, {"type": "null"}]}, [True] * 500_000),
    "list or null, the last": (
        {"anyOf": [{"type": "array", "items": STRING}, {"type": "null"}]},
        ["a"] * 300_000 + [1],
    ),
    "lists": (
        {"anyOf": [{"items": STRING}, {"items": {"type": "integer"}}]},
        [True] * 500_000,
    ),
    "objects": ({"items": {"required": ["a", "b", "c"]}}, [{}] * 300_000),
    "names": ({"additionalProperties": False}, {str(n): n for n in range(300_000)}),
    "names and patterns": (
        {"patternProperties": {"^[a-z]+$": {}}, "additionalProperties": False},
        {"a": 1, **{str(n): n for n in range(200_000)}},
    ),
    "texts": ({"items": {"pattern": "^[0-9]*$"}}, ["1" * 20_000 + "a"] * 100),
    "one long text": ({"maxLength": 3, "pattern": "b"}, "a" * 4_000_000),
    "nested texts": ({"items": {"type": "null"}}, [["a" * 100_000]] * 40),
    "enum": ({"items": {"enum": [[n] for n in range(250)]}}, [[999]] * 300_000),
    "contains": ({"contains": {"const": "z"}}, ["a"] * 300_000),
    "unique": ({"uniqueItems": True, "items": STRING}, [*range(100_000), 0]),
    "numbers with one hash": (
        {"uniqueItems": True},
        [n * (2**61 - 1) for n in range(20_000)] + [0],
    ),
    "a tiny multiple": ({"multipleOf": 1e300}, 1e-300),
    "the first number": ({"items": {"type": "integer"}}, ["a"] + [1] * 500_000),
    "the last number": ({"items": {"type": "integer"}}, [1] * 500_000 + ["a"]),
    "anyOf": (
        recursive({"anyOf": [kind(name) for name in "abcd"]}),
        chain(40, 1, lambda below: {"children": [below]}),
    ),
    "oneOf": (recursive({"oneOf": [NEXT, {**NEXT, "required": ["next"]}]}), chain(60, 1)),
    "allOf": (recursive({"allOf": [NEXT, NEXT]}), chain(60, 1)),
    "if": (recursive({"if": NEXT, "then": NEXT, "else": NEXT}), chain(60, 1)),
    "not": (recursive({"not": {"properties": {"next": {"not": NODE}}}}), chain(60, {})),
    "dependentSchemas": (recursive({**NEXT, "dependentSchemas": {"next": NEXT}}), chain(60, 1)),
    "patterns": (
        recursive({"patternProperties": {"^n": NODE, "t$": NODE}, "properties": {"next": NODE}}),
        chain(60, 1),
    ),
    "unevaluated": (
        recursive({"anyOf": [NEXT, {**NEXT, "required": ["a"]}], "unevaluatedProperties": False}),
        chain(60, 1),
    ),
    "levels of allOf": (levels("allOf", 24), 1),
    "levels of anyOf": (levels("anyOf", 24), 1),
    "levels of oneOf": (levels("oneOf", 24), 1),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_explanation_costs_little_more_than_the_verdict(shape: str) -> None:
    schema, value = SHAPES[shape]
    explain = faults_of(schema)
    whole_schema = explain.__self__  # type: ignore[attr-defined]

    def first(value: Any) -> Any:
        return whole_schema.walk(whole_schema).first(schema, value)

    def seconds(function: Any) -> float:
        begun = time.thread_time()
        assert function(value)
        return time.thread_time() - begun

    verdict, whole = (min(seconds(work) for _ in range(3)) for work in (first, explain))
    assert verdict < 1
    assert whole - verdict < 0.1  # 0.05 on a machine of our time that does nothing else.


def test_a_value_that_is_deeper_than_python_can_follow_is_refused() -> None:
    value = chain(900, {"text": 1}, lambda below: {"text": "a", "below": below})
    (fault,) = faults_of(KNOWN["tree"])(value)
    assert "deep" in fault


def test_a_valid_value_is_not_checked_repeatedly() -> None:
    begun = time.thread_time()
    for keyword in ("allOf", "anyOf"):
        assert faults_of(levels(keyword, 24))("a") == []
    assert faults_of(recursive({"allOf": [NEXT, NEXT]}))(chain(60, {})) == []
    assert time.thread_time() - begun < 0.5


@pytest.mark.parametrize("count", [1, 2, 40])
def test_the_names_of_unknown_properties_are_all_reported(count: int) -> None:
    names = [f"a property that nobody has ever heard of {n}" for n in range(count)]
    schema = {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}
    for whole in (schema, {"anyOf": [schema, {"type": "null"}]}):
        *_, text = faults_of(whole)({"a": "a" * 300_000, **dict.fromkeys(names, 1)})
        assert all(f'"{name}"' in text for name in names)


def test_a_long_value_hides_no_other_error() -> None:
    schema = {"properties": {"content": {"maxLength": 10}, "mode": {"enum": ["a"]}}}
    value = {"content": "x" * 300_000, "mode": "b"}
    assert [fault[:9] for fault in faults_of(schema)(value)] == ["/content:", '/mode: "b']


@pytest.mark.parametrize(
    ("values", "fault"),
    [(["a"], '/: "b" is not "a"'), (["a", "c"], '/: "b" is not one of "a", "c"')],
)
def test_a_single_value_is_not_called_one_of_many(values: list[str], fault: str) -> None:
    assert faults_of({"enum": values})("b") == [fault]


def test_an_alternative_that_was_not_checked_does_not_count_as_valid() -> None:
    schema = {"oneOf": [{"pattern": "b"}, {"pattern": "c"}, {"type": "null"}]}
    (fault,) = faults_of(schema)("a" * 100_000)
    assert "fits no choice" in fault


def test_a_condition_that_was_not_looked_at_decides_nothing() -> None:
    text = {"if": {"pattern": "^b"}, "then": {"maxLength": 3}}
    rest = {"if": {"properties": {"d": {"pattern": "^b"}}}, "then": True}
    rest = {**rest, "else": {"properties": {"e": True}}, "properties": {"d": True}}
    schema = {"properties": {"a": STRING, "b": text, "c": {**rest, "unevaluatedProperties": False}}}
    value = {"a": 1, "b": "a" * 5_000, "c": {"d": "a" * 5_000, "e": 1}}
    assert faults_of(schema)({**value, "a": "a"}) == []
    assert faults_of(schema)(value) == ["/a: 1 is not of type string"]


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (5, ["/: 5 is not of type string or object"]),
        ({"kind": "c"}, ['/kind: "c" is not one of "a", "b"']),
        ({"kind": "b", "size": "x", "x": 1}, ['/size: "x" is not of type integer', "/y: it is"]),
        ({"kind": "a", "size": 1}, ["/size: 1 is not of type string"]),
    ],
)
def test_the_intended_alternative_is_recognized_by_its_type_or_tag(
    value: Any, faults: list[str]
) -> None:
    kinds = {
        "a": {"properties": {"kind": {"const": "a"}, "size": STRING}, "required": ["kind"]},
        "b": {
            "properties": {"kind": {"const": "b"}, "size": {"type": "integer"}},
            "required": ["kind", "y"],
        },
    }
    schema = {"anyOf": [STRING, *({"type": "object", **kind} for kind in kinds.values())]}
    lines = sorted(faults_of(schema)(value))
    assert [line[: len(fault)] for line, fault in zip(lines, faults, strict=True)] == faults


def test_a_line_is_short_whatever_the_value() -> None:
    value = {"\n" * 5000: ["b" * 5000, {"c" * 5000: "d" * 5000}]}
    for schema in ({"type": "null"}, {"additionalProperties": False}, {"maxProperties": 0}):
        (fault,) = faults_of(schema)(value)
        assert "\n" not in fault
        assert len(fault) < 10_000


@pytest.mark.slow
@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_each_error_is_at_an_existing_place(seed: int) -> None:
    random_schema = Made(Random(seed))
    if list(reference_faults(Index(random_schema.schema), "")):  # It never ends.
        return
    schema = runtime("any_schema").AnySchema(random_schema.schema)
    for _ in range(5):
        value = random_schema.near(random_schema.schema)
        faults = schema.walk(schema).faults(schema.schema, value)
        assert (faults == []) == (schema.walk(schema).first(schema.schema, value) is None)
        for keyword, _rule, misfit, place in faults:
            part, last = value, place[-1] if place else ""
            for name in place[:-1]:
                part = part[name]
            if keyword == "required":
                assert last not in part
            elif place:
                assert misfit in (part[last], last)  # A name may be wrong itself.
