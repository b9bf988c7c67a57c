"""Random schemas: checks made from them say of each value what the pack `python` says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.jsonschema.faults import Explainer, validator
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.references import reference_faults
from tests.validators.compiled import compiled
from tests.validators.made import Made


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_checks_agree_with_the_pack_python_on_any_schema(seed: int) -> None:
    made = Made(Random(seed))
    if list(reference_faults(Index.of(made.schema), "")):  # It never ends.
        return
    engine, explain = validator(made.schema), compiled(made.schema)
    explainer = Explainer(made.schema)
    for _ in range(5):
        value = made.near(made.schema)
        expected = [] if engine.is_valid(value) else explainer.explain(value)
        assert explain(value) == expected, (made.schema, value)


NUMBERS = (
    st.integers(-(10**30), 10**30)
    | st.floats(-1e20, 1e20, allow_nan=False)
    | st.decimals(-1000, 1000, places=3).map(float)
)
STEPS = st.sampled_from([1, 2, 3, 7, 0.5, 0.1, 0.01, 1e-8, 0.125, 2.5, 1e20, 10**20])


@given(NUMBERS, STEPS)
def test_multiples_are_those_of_the_decimal_numbers(number: float, step: float) -> None:
    schema = {"multipleOf": step}
    assert (compiled(schema)(number) == []) == validator(schema).is_valid(number)


VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from([0, 0.0, 1, 1.0, -1, "0", "", 2**60]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)


@given(VALUES, VALUES)
def test_values_are_equal_as_they_are_in_json(one: object, other: object) -> None:
    for schema in ({"const": one}, {"enum": [one, "none"]}, {"enum": [one, None, True]}):
        assert (compiled(schema)(other) == []) == validator(schema).is_valid(other)
    unique = {"uniqueItems": True}
    assert (compiled(unique)([one, other]) == []) == validator(unique).is_valid([one, other])
