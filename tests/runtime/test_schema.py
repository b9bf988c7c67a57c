"""Whether a value fits its schema, in which words it does not, and what it takes to find them."""

from __future__ import annotations

import gc
import json
import math
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from time import thread_time
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from templates.python.runtime import schema as schema_module
from templates.python.runtime.choices import ChoiceSchema
from templates.python.runtime.encodings import check_encodings
from templates.python.runtime.schema import (
    MAX_CHARACTERS,
    MAX_FAULTS,
    MAX_SECONDS_WITH_DECISION,
    OPTIONS,
    Schema,
)
from tests.measured import peak_memory

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
TEXT = {"type": "string"}
KINDS = [Schema, ChoiceSchema]
WORDS: Mapping[str, tuple[Any, Any, list[str]]] = {
    "type": (TEXT, 7, ['/: 7 is not of type "string"']),
    "types": ({"type": ["string", "null"]}, 7, ['/: 7 is not of types "null", "string"']),
    "required": ({"required": ["a", "b"]}, {}, ['/: "a" is a required property', '/: "b" is a required property']),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ['/: "b" is a required property']),
    "minimum": ({"minimum": 1}, 0, ["/: 0 is less than the minimum of 1"]),
    "enum": ({"enum": ["a", "b"]}, "c", ['/: "c" is not one of "a" or "b"']),
    "const": ({"const": "a"}, "c", ['/: "a" was expected']),
    "pattern": ({"pattern": "^a"}, "c", ['/: "c" does not match "^a"']),
    "minLength": ({"minLength": 1}, "", ['/: "" is shorter than 1 character']),
    "format": ({"format": "date"}, "today", ['/: "today" is not a "date"']),
    "date-time in draft-07": ({"$schema": DRAFT_7, "format": "date-time"}, "noon", ['/: "noon" is not a "date-time"']),
    "additionalProperties": ({"properties": {"b": {}}, "additionalProperties": False}, {"a": 1}, ["/: Additional properties are not allowed ('a' was unexpected)"]),
    "no properties at all": ({"type": "object", "additionalProperties": False}, {"a": 1, "b": 2}, ["/: Additional properties are not allowed ('a', 'b' were unexpected)"]),
    "other properties": ({"properties": {"a": {}}, "additionalProperties": TEXT}, {"a": 1, "b": 2}, ['/b: 2 is not of type "string"']),
    "propertyNames": ({"propertyNames": {"maxLength": 1}}, {"a": 1, "bc": 2}, ['/: "bc" is longer than 1 character']),
    "path": ({"properties": {"a": {"items": TEXT}}}, {"a": ["b", 1]}, ['/a/1: 1 is not of type "string"']),
    "path with a slash": ({"properties": {"a/b": TEXT}}, {"a/b": 1}, ['/a~1b: 1 is not of type "string"']),
    "first items": ({"prefixItems": [TEXT, {}], "items": TEXT}, [1, 2, 3], ['/0: 1 is not of type "string"', '/2: 3 is not of type "string"']),
    "items in draft-07": ({"$schema": DRAFT_7, "items": [TEXT], "additionalItems": False}, ["a", 2], ["/1: False schema does not allow 2"]),
    "too large to quote": ({"items": {"maxItems": 9}}, [[1] * 5000], ['/0: does not fit {"maxItems": 9}']),
}  # fmt: skip
BLOCK = {
    "oneOf": [
        {"properties": {"type": {"const": "text"}, "text": TEXT}, "required": ["type", "text"]},
        {"properties": {"type": {"const": "rows"}, "rows": {"type": "array", "items": {"$ref": "#/$defs/block"}}}, "required": ["type", "rows"]},
    ],
    "$defs": {"block": {"$ref": "#"}},
}  # fmt: skip
SHAPE = {"anyOf": [{"required": ["radius"]}, {"required": ["width", "height"]}]}
WORDS_OF_CHOICES: Mapping[str, tuple[Any, Any, list[str]]] = {
    "the branch of the type": ({"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}, ["a", 1], ['/1: 1 is not of type "string"']),
    "no branch of the type": ({"anyOf": [TEXT, {"type": "null"}]}, 1, ['/: 1 is not of types "null", "string"']),
    "the branch of the constant": (BLOCK, {"type": "rows", "rows": [{"type": "text"}]}, ['/rows/0: "text" is a required property']),
    "no branch of the constant": (BLOCK, {"type": "list"}, ['/type: "list" is not one of "text" or "rows"']),
    "the nearest branch": ({"properties": {"shape": SHAPE}}, {"shape": {"width": 1}}, ['/shape: fits no choice; of the nearest: /shape: "radius" is a required property']),
    "the nearest in the nearest": ({"anyOf": [{"required": ["a"]}, {"properties": {"b": SHAPE}}]}, {"b": {}}, ['/: fits no choice; of the nearest: /b: "radius" is a required property']),
    "no branch": ({"anyOf": [False, False]}, 1, ["/: fits no choice"]),
    "several branches": ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 1, ["/: 1 is valid under more than one of the schemas listed in the 'oneOf' keyword"]),
    "allOf": ({"allOf": [TEXT, {"minLength": 2}]}, "a", ['/: "a" is shorter than 2 characters']),
    "then": ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}, {"a": 1}, ['/: "b" is a required property']),
    "else": ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}, {}, ['/: "c" is a required property']),
    "dependentSchemas": ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, ['/: "b" is a required property']),
    "dependencies": ({"$schema": DRAFT_7, "dependencies": {"a": ["b"]}}, {"a": 1}, ['/: "b" is a required property']),
    "patternProperties": ({"patternProperties": {"^a": TEXT}, "additionalProperties": False}, {"ab": 1, "b": 2}, ["/: Additional properties are not allowed ('b' was unexpected)", '/ab: 1 is not of type "string"']),
    "unevaluatedProperties": ({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, {"a": 1, "b": 2}, ["/: Unevaluated properties are not allowed ('b' was unexpected)"]),
    "$anchor": ({"$defs": {"a": {"$anchor": "text", **TEXT}}, "items": {"$ref": "#text"}}, [1], ['/0: 1 is not of type "string"']),
    "$id": ({"$defs": {"a": {"$id": "text", "$ref": "#/$defs/b", "$defs": {"b": TEXT}}}, "items": {"$ref": "text"}}, [1], ['/0: 1 is not of type "string"']),
    "$dynamicRef": ({"$dynamicAnchor": "node", "properties": {"a": {"$dynamicRef": "#node"}}, "type": "object"}, {"a": {"a": 1}}, ['/a/a: 1 is not of type "object"']),
    "$ref alone in draft-07": ({"$schema": DRAFT_7, "items": {"$ref": "#/definitions/a", "maxLength": 1}, "definitions": {"a": TEXT}}, ["ab", 1], ['/1: 1 is not of type "string"']),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", WORDS)
def test_an_error_has_the_message_of_its_case(case: str, kind: type[Schema]) -> None:
    schema, value, expected = WORDS[case]
    assert kind(schema).faults(value) == expected


@pytest.mark.parametrize("case", WORDS_OF_CHOICES)
def test_an_error_in_a_union_has_the_message_of_its_case(case: str) -> None:
    schema, value, expected = WORDS_OF_CHOICES[case]
    assert ChoiceSchema(schema).faults(value) == expected


def test_a_value_that_fits_has_no_faults() -> None:
    assert ChoiceSchema(BLOCK).faults({"type": "rows", "rows": []}) == []
    assert Schema({}).faults([1.5, 10**400, True, None, {"a": "b"}]) == []


@pytest.mark.parametrize("kind", KINDS)
def test_encodings_are_checked_only_if_the_spec_uses_them(
    kind: type[Schema], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(OPTIONS, "keywords", {})  # As it was, after the test.
    check_encodings()
    schema = kind({"contentEncoding": "base64"})
    assert schema.faults("e30g") == []
    assert schema.faults("%%") == ["/: Only base64 data is allowed"]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_values_that_json_lacks_fit_no_schema(number: float) -> None:
    assert Schema({}).faults({"a": [number]}) == ["/: NaN and infinity are not JSON"]
    assert Schema({}).faults([{"a": number}]) != []


def test_the_number_of_reported_errors_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_module, "MAX_SECONDS_WITH_DECISION", 60)
    monkeypatch.setattr(schema_module, "MAX_SECONDS", 60)
    assert len(Schema({"items": TEXT}).faults([1] * 100)) == MAX_FAULTS


@pytest.mark.parametrize(
    ("size", "words"),
    [(40_000, "is longer than 3 characters"), (4_000_000, 'does not fit {"maxLength": 3}')],
)
def test_the_length_of_a_message_is_limited(size: int, words: str) -> None:
    [fault] = Schema({"maxLength": 3}).faults("x" * size)
    assert len(fault) < MAX_CHARACTERS + 10
    assert fault.endswith(words)


class TestUnknownProperties:
    names = tuple(f"{'name' * 15}{number}" for number in range(20))

    @pytest.mark.parametrize("kind", KINDS)
    def test_all_unknown_properties_are_named(self, kind: type[Schema]) -> None:
        schema = {"type": "object", "additionalProperties": False}
        [fault] = kind(schema).faults(dict.fromkeys(self.names))
        assert [name for name in self.names if f"'{name}'" not in fault] == []

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_large_value_hides_no_unknown_property(self, kind: type[Schema]) -> None:
        schema = {"properties": {"a": TEXT, "n": {"type": "integer"}}, "required": ["b"]}
        faults = kind({**schema, "additionalProperties": False}).faults(
            {"a": "x" * 1_000_000, "n": "one", "c": 1}
        )
        assert faults == [
            '/: "b" is a required property',
            "/: Additional properties are not allowed ('c' was unexpected)",
            '/n: "one" is not of type "integer"',
        ]

    def test_unknown_properties_in_a_union_are_named(self) -> None:
        branch = {"properties": {"a": {}}, "additionalProperties": False}
        schema = {"anyOf": [branch, {"required": ["b"], **branch}]}
        [fault] = ChoiceSchema(schema).faults(dict.fromkeys(self.names))
        assert [name for name in self.names if f"'{name}'" not in fault] == []

    def test_the_first_of_very_many_unknown_properties_are_named(self) -> None:
        schema = {"type": "object", "additionalProperties": False}
        [fault] = Schema(schema).faults({f"name{n}": 1 for n in range(300_000)})
        assert "'name0', 'name1'" in fault
        assert fault.endswith("… were unexpected)")


def blocks(depth: int) -> dict[str, Any]:
    """Blocks in blocks, the innermost wrong: each level has two choices."""
    inner: dict[str, Any] = {"type": "text"}
    for _ in range(depth):
        inner = {"type": "rows", "rows": [inner]}
    return inner


def chain(depth: int, leaf: Any, **beside: Any) -> Any:
    for _ in range(depth):
        leaf = {"c": leaf, **beside}
    return leaf


def tree(width: int, depth: int, leaf: Any) -> Any:
    inner = tree(width, depth - 1, leaf) if depth else leaf
    return {"c": [inner] * width, "x": 1}


def recursive(**rules: Any) -> Any:
    return {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", **rules}}}


def shared(key: str, levels: int) -> Any:
    """Parts that refer to the next level twice each."""
    parts: dict[str, Any] = {"l0": TEXT}
    for level in range(1, levels + 1):
        below = {"properties": {"c": {"$ref": f"#/$defs/l{level - 1}"}}}
        parts[f"l{level}"] = {key: [below, {**below, "type": "object"}]}
    return {"$ref": f"#/$defs/l{levels}", "$defs": parts}


NODE = {"$ref": "#/$defs/n"}
CHILD = {"properties": {"c": NODE}}
LINE = {"type": "object", "required": ["id", "name", "amount"]}
MEGABYTES = 4 * 2**20
# Schemas, and values of at most 4 MB as JSON.
FLAT: Mapping[str, tuple[Any, Any]] = {
    "wrong items": ({"items": {"type": "integer"}}, ["x"] * (MEGABYTES // 4)),
    "wrong at the end": ({"items": {"type": "integer"}}, [1] * (MEGABYTES // 2) + ["x"]),
    "empty objects": ({"items": {"required": [f"f{n}" for n in range(30)]}}, [{}] * 1_000_000),
    "a pattern": ({"pattern": r"^\p{L}{1,64}$"}, "1" * MEGABYTES),
    "a text of a wrong type": ({"properties": {"a": {"type": "integer"}}}, {"a": "x" * MEGABYTES}),
    "names": ({"propertyNames": {"maxLength": 2}}, {f"name{n}": 1 for n in range(300_000)}),
    "names and a pattern": ({"patternProperties": {f"^{n}a*{n}$": {} for n in range(20)}, "additionalProperties": False}, {f"name{n}": 1 for n in range(300_000)}),
    "equal items": ({"uniqueItems": True}, [*range(500_000), 1]),
    "no item contained": ({"contains": {"const": "z"}}, ["a"] * 1_000_000),
    "a missing property beside much": ({"required": ["a"]}, {"b": [[1, 2, 3]] * 500_000}),
}  # fmt: skip
CHOICES: Mapping[str, tuple[Any, Any]] = {
    "a list or null": ({"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}, [1] * (MEGABYTES // 2)),
    "lines or a text": ({"anyOf": [TEXT, {"type": "array", "items": LINE}]}, [{}] * (MEGABYTES // 3)),
    "a map or null": ({"anyOf": [{"additionalProperties": TEXT, "type": "object"}, {"type": "null"}]}, {str(n): 1 for n in range(300_000)}),
    "500 branches": ({"oneOf": [{"properties": {"k": {"const": n}, "v": {"items": TEXT}}} for n in range(500)]}, {"k": 400, "v": [1] * 1_000_000}),
    "anyOf at each level": (recursive(anyOf=[{"properties": {"c": NODE, "t": {"const": t}}} for t in "abcd"]), chain(60, 1, t="a")),
    "oneOf at each level": (BLOCK, blocks(60)),
    "oneOf without constants": (recursive(oneOf=[{**CHILD, "required": [k]} for k in "xyz"]), chain(40, 1)),
    "a wide tree": (recursive(oneOf=[{"properties": {"c": {"items": NODE}}, "required": [k]} for k in "xyz"]), tree(8, 4, 1)),
    "allOf twice": (recursive(allOf=[CHILD, CHILD]), chain(40, 1)),
    "if": (recursive(**{"if": CHILD, "then": CHILD, "else": CHILD}), chain(40, 1)),
    "dependentSchemas": (recursive(dependentSchemas={"c": CHILD}, **CHILD), chain(40, 1)),
    "two patterns": (recursive(patternProperties={"^c": NODE, "c$": NODE}), chain(40, 1)),
    "unevaluatedProperties": (recursive(anyOf=[CHILD, {"properties": {"d": NODE}}], unevaluatedProperties=False), chain(24, {"q": 1})),
    "$dynamicRef": ({"$dynamicAnchor": "n", "anyOf": [{"type": "object", "properties": {"c": {"$dynamicRef": "#n"}, "k": {"const": k}}} for k in (1, 2)]}, chain(40, 1, k=1)),
    "shared anyOf": (shared("anyOf", 16), chain(16, 1)),
    "shared allOf": (shared("allOf", 18), chain(18, 1)),
    "a deep value": (recursive(properties={"c": {"anyOf": [NODE, {"type": "null"}]}}), chain(240, 1)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("case", "kind"),
    [*product(FLAT, KINDS), *((case, ChoiceSchema) for case in CHOICES)],
)
def test_an_error_in_a_hostile_value_is_reported_quickly(case: str, kind: type[Schema]) -> None:
    schema, value = {**FLAT, **CHOICES}[case]
    checked = kind(schema)
    gc.collect()
    gc.freeze()  # A server has little else in memory than a test run has.
    begun = thread_time()
    assert not checked.engine.is_valid(value)
    decided = thread_time()
    faults = checked.faults(value)
    explained = thread_time()
    gc.unfreeze()
    with peak_memory() as kib:  # This takes time of its own.
        assert checked.faults(value)
    assert faults
    assert len("".join(faults)) < 20_000
    # Once more for the decision. Before, some took minutes, and gigabytes.
    assert explained - decided < 2 * (decided - begun) + 0.5
    assert kib[0] < 40 * 1024


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from([1.5, "", "a", "ab", "e30="]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "c/~"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
TYPES = st.sampled_from(["string", "integer", "number", "object", "array", "null", "boolean"])
NAMES = st.sampled_from(["a", "b", "c/~"])
LEAVES = st.booleans() | st.sampled_from([
    {}, {"minLength": 2}, {"pattern": "^a"}, {"minimum": 2}, {"multipleOf": 2}, {"uniqueItems": True},
    {"maxItems": 1}, {"minProperties": 2}, {"enum": ["a", 1]}, {"format": "date"},
]) | st.builds(lambda name: {"type": name}, TYPES)  # fmt: skip
ALONE = {
    "type": TYPES,
    "required": st.lists(NAMES, max_size=2, unique=True),
    "propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}]),
}


def plain(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    parts = {"properties": st.dictionaries(NAMES, inner, max_size=3)}
    return {**parts, "items": inner, "additionalProperties": inner, "contains": inner}


def with_choices(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    patterns = st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=2)
    single = {"if", "then", "else", "not", "unevaluatedProperties", "unevaluatedItems"}
    return {
        **plain(inner),
        **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), several),
        **dict.fromkeys(sorted(single), inner),
        "patternProperties": patterns,
        "dependentSchemas": st.dictionaries(NAMES, inner, max_size=2),
        "$ref": st.just("#/$defs/n"),
    }


def schemas(parts: Any) -> st.SearchStrategy[Any]:
    def extended(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.fixed_dictionaries({}, optional=ALONE | parts(inner))

    node = {"anyOf": [TEXT, {"properties": {"a": NODE}, "required": ["a"]}, {"items": NODE}]}
    rules = st.recursive(LEAVES, extended, max_leaves=10)
    return rules.map(lambda top: {**(top if isinstance(top, dict) else {"not": {}}), "$defs": {"n": node}})  # fmt: skip


def at(value: Any, fault: str) -> Any:
    """Return the part of a value that a fault is about."""
    path = fault.split("nearest: ")[-1].split(": ")[0]
    for name in path.split("/")[1:] if path != "/" else []:
        name = name.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@given(schemas(with_choices), VALUES)
def test_any_invalid_value_has_an_error_at_an_existing_place(schema: Any, value: Any) -> None:
    checked = ChoiceSchema(schema)
    assume(not checked.engine.is_valid(value))
    faults = checked.faults(value)
    assert 1 <= len(faults) <= MAX_FAULTS
    for fault in faults:
        at(value, fault)


@given(schemas(plain), VALUES)
def test_both_explanations_agree(schema: Any, value: Any) -> None:
    schema = {key: rule for key, rule in schema.items() if key != "$defs"}
    assume("not" not in json.dumps(schema))
    assert Schema(schema).faults(value) == ChoiceSchema(schema).faults(value)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_may_explain_values_at_once(kind: type[Schema]) -> None:
    """Handlers ask for the faults of values, and plain ones run in threads."""
    names = [f"name{number}" for number in range(20)]
    checked = kind({"properties": dict.fromkeys(names, TEXT)})
    values = [{name: number} for number, name in enumerate(names * 20)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            faults = [*pool.map(checked.faults, values)]
    finally:
        sys.setswitchinterval(interval)
    expected = [
        [f'/{name}: {number} is not of type "string"']
        for value in values
        for name, number in value.items()
    ]
    assert faults == expected


def test_a_long_text_is_judged_as_a_whole() -> None:
    """In a part of it, base64 would be wrong, and a length right."""
    rules = {"type": "string", "maxLength": 100, "contentEncoding": "base64"}
    [fault] = Schema({"properties": {"data": rules}}).faults({"data": "QUJD" * 50_000})
    assert fault.startswith('/data: does not fit {"type": "string", "maxLength": 100')


def test_compiling_a_schema_does_not_count_as_time_of_explaining() -> None:
    names = {
        f"name{n}": {"type": "string", "pattern": rf"^\p{{L}}{{1,{n % 60 + 2}}}$"}
        for n in range(3_000)
    }
    begun = thread_time()
    assert not Schema({"properties": names}).engine.is_valid({"name1": 1})
    assert thread_time() - begun > 2 * MAX_SECONDS_WITH_DECISION
    assert Schema({"properties": names}).faults({"name1": 1}) == [
        '/name1: 1 is not of type "string"'
    ]


def test_external_references_are_not_fetched() -> None:
    with pytest.raises(Exception, match=r"example\.invalid"):
        Schema({"$ref": "https://example.invalid/schema.json"}).faults(1)
