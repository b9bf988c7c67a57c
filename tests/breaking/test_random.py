"""Random tools: whatever a value shows to break is found, and what is called a break is one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.breaking.change import Change, Level
from scaffold.breaking.compare import compare
from scaffold.format.check import load
from scaffold.format.spec import Spec
from scaffold.project import chosen
from scaffold.schema.index import Index
from scaffold.yaml.source import parse
from tests.breaking.proofs import accepts
from tests.schema.made import DRAFT_07, HOLDERS, LEAVES, TYPES, Made

Schema = dict[str, Any]

VALUES = 60
"""The values that are tried for a pair in which nothing is found."""
BOUNDS = (
    "minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems",
    "minProperties", "maxProperties", "minContains", "maxContains",
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_every_change_that_breaks_callers_is_reported(seed: int) -> None:
    random = Random(seed)
    values = Made(random)
    old = values.schema if random.random() < 0.2 else of_properties(values)
    new = deepcopy(old)
    for _ in range(random.choice([1, 1, 2, 3])):
        edit(random, values, new)
    check(*random.choice([(old, new), (new, old)]), values)


def check(narrow: Any, wide: Any, values: Made) -> None:
    """Hold what is found from one schema to the other, as arguments and as results, against values."""
    narrow, wide = ({**schema, "type": "object"} for schema in (narrow, wide))
    try:
        old, new = spec_of(narrow, wide), spec_of(wide, narrow)
    except ScaffoldError:
        return
    changes = compare(old, new)
    for change in changes:
        if change.refusal is not None:
            assert accepts(narrow, change.witness), (narrow, wide, change)
            assert not accepts(wide, change.witness), (narrow, wide, change)
    # What is new in an open object is not sent before.
    new_names = {
        change.where.rsplit("/", 1)[1] for change in changes if change.id == "argument-added"
    }
    is_found = {kind: has_finding(changes, kind) for kind in ("argument-", "result-")}
    first, second = Index(narrow).validator, Index(wide).validator
    for number in range(0 if all(is_found.values()) else VALUES):
        values.schema = (narrow, wide)[number % 2]
        value = values.near(values.schema)
        if first.is_valid(value) and not second.is_valid(value):
            details = json.dumps([narrow, wide, value, [change.message for change in changes]])
            assert is_found["result-"], details
            assert is_found["argument-"] or mentions(value, new_names), details


def spec_of(arguments: Schema, results: Schema) -> Spec:
    """A spec with one tool."""
    tool = {"name": "t", "description": "Do.", "inputSchema": arguments, "outputSchema": results}
    document = {"name": "demo", "version": "1.0.0", "tools": [tool]}
    return load(parse(json.dumps(document)), chosen.rule()).spec


def has_finding(changes: Collection[Change], kind: str) -> bool:
    """Whether something breaks callers, or perhaps does."""
    return any(
        change.id.startswith(kind) and (change.level is Level.ERROR or not change.is_proved)
        for change in changes
    )


def mentions(value: Any, names: Collection[str]) -> bool:
    """Whether a value has a property of some names, however deep."""
    if isinstance(value, dict):
        return any(key in names or mentions(inner, names) for key, inner in value.items())
    return isinstance(value, list) and any(mentions(inner, names) for inner in value)


def of_properties(values: Made) -> Schema:
    """A schema that only lists properties, without references."""
    random = values.random
    schema: Schema = {"$schema": DRAFT_07} if values.is_draft_7 else {}
    schema |= {
        "type": "object",
        "properties": {name: values.part(1) for name in values.some_names()},
    }
    if random.random() < 0.6:
        schema["required"] = random.sample(["a", "b", "kind"], random.randrange(3))
    if random.random() < 0.4:
        schema["additionalProperties"] = random.choice([True, False, False])
    for here in schemas_in(schema):
        here.pop("$ref", None)
    return schema


def edit(random: Random, values: Made, schema: Schema) -> None:
    """Change one place of a schema."""
    here = random.choice([*schemas_in(schema)])
    keywords = [key for key in here if key not in ("$schema", "$defs")]
    bounds = [key for key in keywords if key in BOUNDS]
    names = [*here.get("properties", ())]
    match random.randrange(8):
        case 0 if keywords:
            del here[random.choice(keywords)]
        case 1 if bounds:
            key = random.choice(bounds)
            here[key] = max(0, here[key] + random.choice([-1, 1]))
        case 2 if names:
            rule = here["properties"].pop(random.choice(names))
            if random.random() < 0.5:  # renamed
                here["properties"][random.choice("ab")] = rule
        case 3:
            required = [*here.get("required", ()), random.choice("ab")]
            here["required"] = random.sample(required, random.randrange(len(required) + 1))
            here["required"] = [*dict.fromkeys(here["required"])]
        case 4:
            here["type"] = random.sample(TYPES, random.randrange(1, 4))
        case 5 if "$ref" not in here:
            rest = {key: here.pop(key) for key in keywords}
            here["anyOf"] = [rest, {"type": random.choice(TYPES)}]
        case 6:
            here["properties"] = {**here.get("properties", {}), random.choice("ab"): values.part(2)}
        case _:
            here |= values.keyword(random.choice(LEAVES + HOLDERS), 2)


def schemas_in(schema: Any) -> Iterator[Schema]:
    """Yield a schema and all inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            inside = [*value.values()]
        elif key in HOLDERS or key.startswith(("unevaluated", "additional", "then", "else")):
            inside = value if isinstance(value, list) else [value]
        else:
            inside = []
        for inner in inside:
            yield from schemas_in(inner)
