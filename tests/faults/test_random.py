"""Random recursive schemas and values: what the engine refuses is explained, truly and soon."""

from __future__ import annotations

import time
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.jsonschema.faults import Explainer, validator
from tests.faults.truth import is_true, value_at

Json: TypeAlias = Any

NAMES = ("a", "b", "kind", "x y", "", "0", "+1", "é")
SCALARS: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 1.0, 2.5, -1, 2**53 + 1, 10**40, 1e300]),
    st.sampled_from(["", "a", "b", "image", "é" * 70, "\ud7ff", "2026-01-31"]),
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=8,
)
HOLDERS = st.lists(VALUES, min_size=1, max_size=3) | st.dictionaries(
    st.sampled_from(NAMES), VALUES, min_size=1
)
REFERENCES = st.sampled_from(["#/$defs/one", "#/$defs/two", "#/$defs/three"])
FEW = st.integers(0, 3)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])


def some_of(keywords: dict[str, st.SearchStrategy[Json]]) -> st.SearchStrategy[Json]:
    """Schemas with a few of these keywords."""
    names = st.lists(st.sampled_from(sorted(keywords)), max_size=4, unique=True)
    return names.flatmap(
        lambda chosen: st.fixed_dictionaries({name: keywords[name] for name in chosen})
    )


def grown(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Schemas that hold schemas; a few keywords each, as people write them."""
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    down = inner | st.builds(lambda to: {"$ref": to}, REFERENCES)
    named_down = st.dictionaries(st.sampled_from(NAMES), down, max_size=3)
    return some_of(
        {
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "properties": named_down,
            "additionalProperties": down,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "d$"]), down, max_size=1),
            "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
            "items": down,
            "prefixItems": st.lists(down, min_size=1, max_size=2),
            "contains": inner,
            "minContains": FEW,
            "maxContains": FEW,
            "anyOf": several,
            "oneOf": several,
            "allOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": named,
            "dependentRequired": st.dictionaries(
                st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True), max_size=1
            ),
            "propertyNames": inner,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        }
    )


LEAVES: st.SearchStrategy[Json] = st.one_of(
    st.booleans(),
    some_of(
        {
            "type": TYPES,
            "minimum": FEW,
            "exclusiveMaximum": FEW,
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "minLength": FEW,
            "maxLength": FEW,
            "pattern": st.sampled_from(["^a", "[0-9]"]),
            "format": st.sampled_from(["date", "email"]),
            "minItems": FEW,
            "maxItems": FEW,
            "uniqueItems": st.booleans(),
            "maxProperties": FEW,
        }
    ),
    st.builds(lambda value: {"const": value}, SCALARS),
    st.builds(lambda values: {"enum": values}, st.lists(SCALARS, min_size=1, max_size=3)),
)
SCHEMAS = st.recursive(LEAVES, grown, max_leaves=3)


@st.composite
def roots(draw: st.DrawFn) -> dict[str, Any]:
    names = ("one", "two", "three")
    definitions = {name: draw(grown(SCHEMAS)) for name in names}
    return {**draw(grown(SCHEMAS)), "$defs": definitions}


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(roots(), HOLDERS)
def test_what_is_refused_is_explained_and_nothing_else_is_said(
    schema: dict[str, Any], value: Json
) -> None:
    if validator(schema).is_valid(value):
        return
    explainer = Explainer(schema)
    start = time.thread_time()
    faults = explainer.find(value)
    assert time.thread_time() - start < 0.2
    assert faults
    for fault in faults:
        value_at(value, fault.spot.path)
        assert is_true(fault, schema), fault
    assert all(len(line) < 1000 for line in explainer.explain(value))
