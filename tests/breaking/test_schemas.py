"""Two schemas: what is called wider is wider, and what is called broken has an example."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.breaking.schemas.strings import UndecidedError, find_strings
from scaffold.breaking.schemas.texts import Texts
from scaffold.breaking.schemas.verdict import Answer, judge
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.references import reference_faults
from tests.breaking.pairs import BOUNDS, Plain, Schema, pair, schemas_in
from tests.validators.made import Made

DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}
OBJECT = {"type": "object"}
A_SUM = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/sum"}]}


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_what_a_random_value_shows_to_break_is_never_called_wider(seed: int) -> None:
    check(*pair(Random(seed)))


def check(old: Schema, new: Schema, made: Made) -> Answer | None:
    """Hold a verdict against random values; None if one of the schemas cannot be used."""
    first, second = Index.of(old), Index.of(new)
    if any(list(reference_faults(index, "")) or index.problem() for index in (first, second)):
        return None
    verdict = judge(old, new)
    if verdict.answer is Answer.BROKEN:
        assert first.validator.is_valid(verdict.witness), (old, new, verdict)
        assert not second.validator.is_valid(verdict.witness), (old, new, verdict)
    if verdict.answer is Answer.INCLUDED:
        for number in range(40):
            made.schema = (old, new)[number % 2]
            value = made.near(made.schema)
            assert second.validator.is_valid(value) or not first.validator.is_valid(value), (
                json.dumps(old),
                json.dumps(new),
                json.dumps(value),
            )
    return verdict.answer


def in_other_words(random: Random, schema: Schema) -> Schema:
    """The same schema, with parts of it inside `allOf` and `anyOf`, and in another order."""
    new = deepcopy(schema)
    for here in [*schemas_in(new)][1:]:
        if "$ref" not in here and not any("unevaluated" in key for key in here):
            shuffled = random.sample([*here], len(here))
            rest = {key: here.pop(key) for key in shuffled}
            here |= random.choice([{"allOf": [rest]}, {"anyOf": [rest]}, rest])
    return new


def without_bounds(random: Random, schema: Schema) -> Schema:
    """A wider schema."""
    return {key: value for key, value in schema.items() if key not in BOUNDS}


@pytest.mark.slow
@pytest.mark.parametrize("edit", [in_other_words, without_bounds])
def test_an_equal_or_wider_schema_breaks_nothing_and_is_rarely_undecided(
    edit: Callable[[Random, Schema], Schema],
) -> None:
    answers = Counter[Answer | None]()
    for seed in range(300):
        random = Random(seed)
        made = Plain(random)
        old = made.schema
        answers[check(old, edit(random, old), made)] += 1
    assert answers[Answer.BROKEN] == 0
    assert answers[Answer.UNKNOWN] < 0.05 * answers[Answer.INCLUDED], answers


NARROWED: dict[str, tuple[Any, Any]] = {
    "a type": ({}, {"type": "string"}),
    "one type of two": ({"type": ["string", "null"]}, {"type": "string"}),
    "whole numbers": ({"type": "number"}, {"type": "integer"}),
    "a value less": ({"enum": ["a", "b"]}, {"enum": ["a"]}),
    "a constant": ({"enum": ["a", "b"]}, {"const": "b"}),
    "both bounds": ({"minimum": 1, "maximum": 31}, {"minimum": 1, "maximum": 28}),
    "a bound excluded": ({"minimum": 1}, {"exclusiveMinimum": 1}),
    "multiples": ({"type": "integer"}, {"type": "integer", "multipleOf": 3}),
    "multiples of more": ({"multipleOf": 2}, {"multipleOf": 4}),
    "a length": ({"type": "string", "maxLength": 80}, {"type": "string", "maxLength": 79}),
    "a pattern": ({"type": "string"}, {"type": "string", "pattern": "^[a-f]{3}$"}),
    "a narrower pattern": ({"pattern": "^[a-z0-9]+$"}, {"pattern": "^[a-z]+$"}),
    "a pattern and a length": (
        {"type": "string", "pattern": "^(ab)*$"},
        {"type": "string", "pattern": "^(ab)*$", "maxLength": 5},
    ),
    "a format": ({"type": "string"}, {"type": "string", "format": "date-time"}),
    "another format": ({"format": "date"}, {"format": "time"}),
    "positions": ({"prefixItems": [{"type": "string"}]}, {"prefixItems": [{"type": "integer"}]}),
    "positions of draft-07": (
        {**DRAFT_07, "items": [{"type": "string"}]},
        {**DRAFT_07, "items": [{"type": "string"}], "additionalItems": False},
    ),
    "items": ({"items": {"type": "number"}}, {"items": {"type": "integer"}}),
    "different items": ({"type": "array"}, {"type": "array", "uniqueItems": True}),
    "fewer items": ({"maxItems": 3}, {"maxItems": 2}),
    "contains": ({"type": "array"}, {"type": "array", "contains": {"type": "string"}}),
    "contains more": (
        {"type": "array", "contains": {"type": "string"}},
        {"type": "array", "contains": {"type": "string"}, "minContains": 3},
    ),
    "contains fewer": ({"contains": {}}, {"contains": {}, "maxContains": 2}),
    "other items": ({"prefixItems": [{}]}, {"prefixItems": [{}], "unevaluatedItems": False}),
    "a required property": (OBJECT, {**OBJECT, "required": ["a"]}),
    "a property": ({"properties": {"a": {}}}, {"properties": {"a": {"type": "string"}}}),
    "a property of a property": (
        {"properties": {"a": {"properties": {"b": {}}}}},
        {"properties": {"a": {"properties": {"b": {"minimum": 3}}}}},
    ),
    "other properties": (OBJECT, {**OBJECT, "additionalProperties": {"type": "string"}}),
    "properties of a pattern": (OBJECT, {"patternProperties": {"^x-": {"type": "string"}}}),
    "names": (OBJECT, {**OBJECT, "propertyNames": {"pattern": "^[a-z]+$"}}),
    "one that needs another": (OBJECT, {**OBJECT, "dependentRequired": {"a": ["b"]}}),
    "one that needs a schema": (OBJECT, {"dependentSchemas": {"a": {"required": ["b"]}}}),
    "dependencies of draft-07": (DRAFT_07, {**DRAFT_07, "dependencies": {"a": ["b"]}}),
    "more properties": (OBJECT, {**OBJECT, "minProperties": 2}),
    "fewer properties": (OBJECT, {**OBJECT, "maxProperties": 2}),
    "unevaluated properties": (
        {"properties": {"a": {}}},
        {"properties": {"a": {}}, "unevaluatedProperties": False},
    ),
    "a condition": (OBJECT, {"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
    "otherwise": (OBJECT, {"if": {"required": ["a"]}, "else": {"required": ["b"]}}),
    "a negation": ({"type": "string"}, {"type": "string", "not": {"const": "root"}}),
    "an alternative less": (
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}]},
    ),
    "alternatives that overlap": (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"oneOf": [{"type": "string"}, {"type": ["integer", "string"], "maxLength": 3}]},
    ),
    "recursion": (
        {"properties": {"n": {"$ref": "#"}}},
        {"properties": {"n": {"$ref": "#"}}, "required": ["n"], "type": "object"},
    ),
    "mutual recursion": (
        {"$ref": "#/$defs/sum", "$defs": {"sum": {"type": "array", "items": A_SUM}}},
        {
            "$ref": "#/$defs/sum",
            "$defs": {
                "sum": {
                    "type": "array",
                    "items": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/sum"}]},
                }
            },
        },
    ),
    "what a reference leads to": (
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "number"}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "number", "maximum": 4}}},
    ),
    "encoding": ({"type": "string"}, {"type": "string", "contentEncoding": "base64"}),
}


@pytest.mark.parametrize(("old", "new"), NARROWED.values(), ids=NARROWED)
def test_a_narrower_schema_has_an_example_and_the_other_way_round_is_wider(
    old: Any, new: Any
) -> None:
    verdict = judge(old, new)
    assert verdict.answer is Answer.BROKEN
    assert Index.of(old).validator.is_valid(verdict.witness)
    assert not Index.of(new).validator.is_valid(verdict.witness)
    back = judge(new, old)
    if back.answer is not Answer.INCLUDED:
        assert Index.of(new).validator.is_valid(back.witness)
        assert not Index.of(old).validator.is_valid(back.witness)
    assert back.answer is not Answer.UNKNOWN


SAME: dict[str, tuple[Any, Any]] = {
    "null by alternative": (
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ),
    "through a reference": (
        {"minimum": 1, "type": "integer"},
        {"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer", "minimum": 1}}},
    ),
    "all at once": ({"minimum": 1, "maximum": 3}, {"allOf": [{"minimum": 1}, {"maximum": 3}]}),
    "a constant": ({"const": "a"}, {"enum": ["a"]}),
    "whole bounds": (
        {"type": "integer", "exclusiveMinimum": 4},
        {"type": "integer", "minimum": 5},
    ),
    "a pattern": ({"pattern": "^[0-9]+$"}, {"pattern": r"^\d\d*$"}),
    "a pattern as a length": (
        {"type": "string", "pattern": "^[^\n]{2,}$"},
        {"type": "string", "pattern": "^[^\n]+$", "minLength": 2},
    ),
    "kinds apart": (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    ),
    "a type told apart": (
        {"if": {"type": "string"}, "then": {"maxLength": 3}},
        {"anyOf": [{"type": "string", "maxLength": 3}, {"not": {"type": "string"}}]},
    ),
    "a dependency": (
        {**OBJECT, "dependentRequired": {"a": ["b"]}},
        {**OBJECT, "dependentSchemas": {"a": {"required": ["b"]}}},
    ),
    "a bound between integers": (
        {"type": "integer", "minimum": 4.5},
        {"type": "integer", "minimum": 5},
    ),
    "a bound that integers exclude": (
        {"type": "integer", "exclusiveMaximum": 5},
        {"type": "integer", "maximum": 4.5},
    ),
    "unrolled once": (
        {"properties": {"n": {"$ref": "#"}}},
        {"properties": {"n": {"properties": {"n": {"$ref": "#"}}}}},
    ),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_the_same_in_other_words_is_wider_both_ways(old: Any, new: Any) -> None:
    assert judge(old, new).answer is Answer.INCLUDED
    assert judge(new, old).answer is Answer.INCLUDED


def test_multiples_of_a_half_are_multiples_of_a_quarter() -> None:
    assert judge({"multipleOf": 0.5}, {"multipleOf": 0.25}).answer is Answer.INCLUDED
    assert judge({"type": "integer"}, {"multipleOf": 0.5}).answer is Answer.INCLUDED
    assert judge({"multipleOf": 0.25}, {"multipleOf": 0.5}).answer is Answer.BROKEN
    assert judge({"multipleOf": 0.3}, {"multipleOf": 0.1}).answer is not Answer.INCLUDED


def test_one_and_true_are_different_constants() -> None:
    assert judge({"const": 1}, {"const": True}).answer is Answer.BROKEN
    assert judge({"enum": [1, "a"]}, {"enum": [True, "a"]}).answer is Answer.BROKEN


def test_what_is_not_regular_is_undecided_and_so_is_its_schema() -> None:
    with pytest.raises(UndecidedError):
        next(find_strings([r"^(?=a)\w+$"], "^a"))
    assert judge({"pattern": r"^(?!a)b?$"}, {"pattern": "^(?!a)b{0,1}$"}).answer is Answer.UNKNOWN


def test_a_string_is_found_that_matches_one_pattern_and_not_the_other() -> None:
    assert next(find_strings(["^[a-z0-9]+$"], "^[a-z]+$")) == "0"
    assert not list(find_strings(["^[a-z]+$"], "^[a-z0-9]+$"))
    assert next(find_strings(["^a", "b$"], None, least=4)) == "aaab"
    assert not list(find_strings(["^a{3,}$"], None, most=2))


def test_a_schema_that_doubles_at_each_step_is_judged_soon() -> None:
    definitions = {
        f"d{n}": {"anyOf": [{"items": {"$ref": f"#/$defs/d{n + 1}"}}] * 2 + [{"type": "null"}]}
        for n in range(20)
    }
    old = {"$ref": "#/$defs/d0", "$defs": {**definitions, "d20": {"type": "integer"}}}
    new = {"$ref": "#/$defs/d0", "$defs": {**definitions, "d20": {"type": "string"}}}
    assert judge(old, new).answer is not Answer.INCLUDED


def nested(depth: int, leaf: Schema) -> Schema:
    """Objects inside each other."""
    for _ in range(depth):
        leaf = {"type": "object", "properties": {"a": leaf}, "required": ["a"]}
    return leaf


def closed(**properties: Schema) -> Schema:
    """An object with these properties only, the first of them required."""
    required = [*properties][:1]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def alternatives() -> Schema:
    """Two kinds of objects, told apart by a constant."""
    id = {"type": "string", "format": "uuid"}
    years = {"type": ["integer", "null"]}
    return {"oneOf": [closed(type={"const": "a"}, id=id), closed(type={"const": "b"}, years=years)]}


ROWS = {"row": {"type": "integer", "minimum": 1}, "kind": alternatives()}

LARGE: dict[str, tuple[Any, Any]] = {
    "the last of many values": (
        {"enum": [f"v{n}" for n in range(5000)]},
        {"enum": [f"v{n}" for n in range(4999)]},
    ),
    "a long text": ({"type": "string"}, {"type": "string", "maxLength": 20_001}),
    "a long list": ({"type": "array"}, {"type": "array", "maxItems": 1000}),
    "deep inside": (nested(7, {"type": "string"}), nested(7, {"type": "integer"})),
    "a property with alternatives": (closed(**ROWS), closed(**ROWS) | {"maxProperties": 1}),
    "two properties that exclude each other": (
        closed(**ROWS),
        closed(**ROWS) | {"not": {"required": ["row", "kind"]}},
    ),
    "a pattern of many states": ({"pattern": "foo.{20}bar"}, {"pattern": "foo.{20}baz"}),
}


@pytest.mark.parametrize(("old", "new"), LARGE.values(), ids=LARGE)
def test_an_example_is_found_in_a_large_schema(old: Any, new: Any) -> None:
    assert judge(old, new).answer is Answer.BROKEN


def test_hard_patterns_end_the_search_for_strings_after_a_few() -> None:
    texts = Texts()
    patterns = [(f"(a|b)*a(a|b){{{n}}}", f"(a|b)*b(a|b){{{n}}}") for n in range(14, 34)]
    for one, other in patterns:
        with pytest.raises(UndecidedError):
            texts.exists([one], other, 0, None)
    assert texts.undecided == 6
