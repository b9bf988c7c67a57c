"""The code of checks: as people write it, whatever stands in the schemas, and never too slow."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold.jsonschema.faults import Explainer, validator
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.references import reference_faults
from tests.corpus.suite import cases
from tests.generated import generate
from tests.validators.compiled import compiled, sources
from tests.validators.made import Made

FLAT = {
    "type": "object",
    "properties": {
        "source": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["source"],
    "additionalProperties": False,
}
CODE = '''\
def check_search(value: Json, at: Spot) -> Faults:
    if not isinstance(value, dict):
        yield at, f"must be an object, not {shown(value)}"
        return
    if "source" not in value:
        yield at, '"source" is a required property'
    for name in value:
        if name not in {"source", "limit", "tags"}:
            yield at, f'{shown(name)} is not a property here; it can have "source", "limit" and "tags"'
    if "source" in value:
        source = value["source"]
        if not isinstance(source, str):
            yield at.part("source"), f"must be a string, not {shown(source)}"
        elif len(source) < 1:
            yield at.part("source"), f"must have 1 or more characters, not {len(source)}"
    if "limit" in value:
        limit = value["limit"]
        if not is_integer(limit):
            yield at.part("limit"), f"must be an integer, not {shown(limit)}"
        if is_number(limit):
            if limit < 1:
                yield at.part("limit"), f"must be at least 1, not {shown(limit)}"
            elif limit > 50:
                yield at.part("limit"), f"must be at most 50, not {shown(limit)}"
    if "tags" in value:
        tags = value["tags"]
        if not isinstance(tags, list):
            yield at.part("tags"), f"must be an array, not {shown(tags)}"
        else:
            for number, item in enumerate(tags):
                if not isinstance(item, str):
                    yield at.part("tags", number), f"must be a string, not {shown(item)}"'''


def test_checks_read_as_if_written_by_hand() -> None:
    assert sources(Index.of(FLAT), "search")[0] == CODE


def test_a_property_that_excludes_others_needs_no_function() -> None:
    for keyword in ("dependentSchemas", "dependencies"):
        draft = "http://json-schema.org/draft-07/schema#" if keyword == "dependencies" else None
        schema = {keyword: {"a": False}} | ({"$schema": draft} if draft else {})
        code, _ = sources(Index.of(schema), "one")
        assert code.count("def ") == 1
        assert '"a" in value' in code


A = {"type": "string", "pattern": "^a"}
ANY_OF_THREE = {"oneOf": [A, {"type": "string", "pattern": "b$"}, {"type": "integer"}]}
DECIDED: list[dict[str, Any]] = [
    {"not": A},
    {"not": ANY_OF_THREE},
    {"if": ANY_OF_THREE, "then": False},
    {"contains": A, "maxContains": 1},
    {"contains": A, "minContains": 2},
    {"type": "array", "contains": ANY_OF_THREE},
    {"contains": {"type": "array", "contains": {"const": "a"}}, "maxContains": 1},
    {"contains": {"type": "array", "contains": {}}, "maxContains": 1},
    {"not": {"exclusiveMinimum": 1, "exclusiveMaximum": 5}},
    {"contains": {"minimum": 1, "maximum": 5}},
    {"not": {"type": "integer", "minimum": 2, "multipleOf": 2}},
    {"type": "object", "propertyNames": {"not": {"const": "a"}}},
    {"not": {"type": "array", "uniqueItems": True, "minItems": 2}},
    {"not": {"properties": {"a": A}, "unevaluatedProperties": False}},
]
"""Schemas of which only the decision counts, so that a function returns it."""
DECIDABLE: list[Any] = ["", "a", "b", "ab", "ba", 1, 2, 3, 6, 1.5, True, None, [], {}]
DECIDABLE += [
    {"a": "a"},
    {"a": "b"},
    {"a": "a", "b": 1},
    ["a", "a"],
    [1, 1.0],
    [["a"], ["a"]],
    [[]],
]
DECIDABLE += [[value] for value in DECIDABLE] + [[value, "a"] for value in DECIDABLE]


@pytest.mark.parametrize("schema", DECIDED, ids=json.dumps)
def test_a_decision_is_that_of_the_engine(schema: dict[str, Any]) -> None:
    engine, explain = validator(schema), compiled(schema)
    wrong = [value for value in DECIDABLE if bool(explain(value)) == engine.is_valid(value)]
    assert wrong == []


def server(schemas: list[Any], folder: Path) -> Path:
    tools = [
        {
            "name": f"tool-{number}",
            "description": "Any.",
            "inputSchema": {"type": "object", "properties": {"value": schema}},
        }
        for number, schema in enumerate(schemas)
    ]
    spec = {"name": "checked", "version": "1", "tools": tools}
    return generate(spec, folder, pack="python-stdlib").source


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.slow
def test_the_code_of_any_schema_is_clean(corpus: Path, tmp_path: Path) -> None:
    suite = corpus / "json-schema-test-suite"
    schemas = [
        case.schema
        for case in cases(suite, "draft2020-12")
        if not case.fetches and "(by" not in case.name and "attern" not in json.dumps(case.schema)
    ]
    package = server([*schemas, *DECIDED], tmp_path / "checked")
    files = [str(package / f"_generated/{name}.py") for name in ("checks", "faults")]
    for command in (
        ["ruff", "check", "--isolated", *files],
        ["ruff", "format", "--isolated", "--check", *files],
        ["mypy", "--strict", "--follow-imports=silent", *files],
    ):
        line = [sys.executable, "-m", *command]
        done = subprocess.run(line, cwd=package.parent, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr


NAMES = ["value", "at", "name", "item", "len", "isinstance", "shown", "class", "None", "re"]
TEXTS = ['"', "'", "\\", "{x}", "{shown(value)}", "\n", '"""', "\u202e", "__import__('os')"]
HOSTILE = st.text(min_size=1, max_size=12) | st.sampled_from([*NAMES, *TEXTS])


@given(HOSTILE, HOSTILE, HOSTILE)
def test_names_and_texts_of_a_schema_are_only_ever_texts(key: str, other: str, text: str) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            key: {"type": "object", "properties": {other: {"enum": [text, 1]}}, "title": text},
            other + "2": {"type": "integer", "minimum": 3},
            "kind": {"anyOf": [{"properties": {text: {"const": key}}}, {"$ref": "#/$defs/0"}]},
        },
        "required": [key],
        "dependentRequired": {key: [text]},
        "additionalProperties": False,
        "$defs": {"0": {"type": "string", "const": text, "description": other}},
        "description": text,
    }
    source, _ = sources(Index.of(schema))
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert "os" not in names
    assert "__import__" not in names
    engine, explain, explainer = validator(schema), compiled(schema), Explainer(schema)
    for value in (
        {},
        {key: {other: text}, text: 1},
        {key: {other: 2}, other + "2": 2},
        {key: 1, "kind": {text: other}},
        {other: 1, "kind": text},
    ):
        expected = [] if engine.is_valid(value) else explainer.explain(value)
        assert explain(value) == expected


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_code_is_the_same_each_time(seed: int) -> None:
    schema = Made(Random(seed)).schema
    if list(reference_faults(Index.of(schema), "")):  # It never ends.
        return
    assert sources(Index.of(schema)) == sources(Index.of(schema))


def recursive(part: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"t": {"$ref": "#/$defs/t"}}, "$defs": {"t": part}}


T = {"$ref": "#/$defs/t"}
BRANCHING = [
    {"anyOf": [{"properties": {"k": T}, "required": [name]} for name in "xyz"]},
    {"oneOf": [{"properties": {"k": T}, "required": [name]} for name in "xyz"]},
    {"allOf": [{"properties": {"k": T}}, {"properties": {"k": T}}], "required": ["x"]},
    {"properties": {"k": {"if": T, "then": T}}, "required": ["x"]},
    {"properties": {"k": {"not": {"not": {"allOf": [T, {"not": {"not": T}}]}}}}, "required": ["x"]},
    {"patternProperties": {"k": T, "^k": T}, "required": ["x"]},
    {"anyOf": [{"properties": {"k": T}, "unevaluatedProperties": False}, {"properties": {"k": T}}]},
]


@pytest.mark.parametrize("part", BRANCHING, ids=lambda part: str(next(iter(part))))
def test_a_small_deep_value_takes_no_time_however_often_a_schema_branches(
    part: dict[str, Any],
) -> None:
    explain = compiled(recursive(part))
    for leaf in ({}, {"x": 1}, 5):
        value: Any = leaf
        for _ in range(120):
            value = {"k": value, "x": 1}
        start = time.thread_time()
        explain({"t": value})
        assert time.thread_time() - start < 0.5


@pytest.mark.parametrize("depth", [100, 198, 5000])
def test_deep_values_are_checked_or_refused_and_never_crash(depth: int) -> None:
    explain = compiled(recursive({"type": "array", "items": T}))
    value: Any = []
    wrong: Any = 5
    for _ in range(depth):
        value, wrong = [value], [wrong]
    unclear = "/: something in here is not valid, but too large or deep to say what"
    assert explain({"t": value}) == ([unclear] if depth == 5000 else [])
    assert explain({"t": wrong}) != []


def test_code_grows_with_the_schema_and_not_with_the_ways_through_it() -> None:
    def chain(length: int) -> dict[str, Any]:
        parts = {
            f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "abc"}}
            for n in range(length)
        }
        last = {f"d{length}": {"type": "integer"}}
        return {"type": "object", "$ref": "#/$defs/d0", "$defs": {**parts, **last}}

    short, long = (len(sources(Index.of(chain(length)))[0]) for length in (20, 200))
    assert long < 13 * short


def test_items_with_chosen_hashes_cost_no_more_than_others() -> None:
    explain = compiled({"type": "array", "uniqueItems": True})
    start = time.thread_time()
    assert explain([{"x": number * (2**61 - 1)} for number in range(20_000)]) == []
    assert time.thread_time() - start < 1
