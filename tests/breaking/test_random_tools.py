"""Random tools: if nothing is said to break, or perhaps to break, no value shows that it does."""

from __future__ import annotations

import json
from collections.abc import Collection
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold import chosen
from scaffold.breaking.change import Change, Level
from scaffold.breaking.compare import compare
from scaffold.diagnostics import ScaffoldError
from scaffold.jsonschema.index import Index
from scaffold.spec.check import load
from scaffold.spec.format import Spec
from scaffold.yaml.source import parse
from tests.breaking.pairs import Schema, pair_of_objects
from tests.validators.made import Made


@pytest.mark.slow
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_what_breaks_callers_is_never_passed_over(seed: int) -> None:
    check(*pair_of_objects(Random(seed)))


@pytest.mark.parametrize("seed", [203, 313, 459, 528, 1087])
def test_what_was_once_passed_over_is_found(seed: int) -> None:
    changes = check(*pair_of_objects(Random(seed)))
    assert changes


def check(narrow: Schema, wide: Schema, made: Made) -> tuple[Change, ...] | None:
    """Hold what is found from one schema to the other, as arguments and as results, against values.

    None if one of the schemas cannot be in a spec.
    """
    try:
        old, new = spec_of(narrow, wide), spec_of(wide, narrow)
    except ScaffoldError:
        return None
    changes = compare(old, new)
    first, second = Index.of(narrow).validator, Index.of(wide).validator
    for change in changes:
        if change.refusal is not None:
            assert first.is_valid(change.witness), (narrow, wide, change)
            assert not second.is_valid(change.witness), (narrow, wide, change)
    # What is new in an open object is not sent before.
    new_names = {one.where.rsplit("/", 1)[1] for one in changes if one.id == "argument-added"}
    is_explained = {kind: has_finding(changes, kind) for kind in ("argument-", "result-")}
    for number in range(0 if all(is_explained.values()) else 60):
        made.schema = (narrow, wide)[number % 2]
        value = made.near(made.schema)
        if first.is_valid(value) and not second.is_valid(value):
            found = json.dumps([narrow, wide, value, [one.message for one in changes]])
            assert is_explained["result-"], found
            assert is_explained["argument-"] or mentions(value, new_names), found
    return changes


def spec_of(arguments: Schema, results: Schema) -> Spec:
    """A spec with one tool."""
    tool = {"name": "t", "description": "Do.", "inputSchema": arguments, "outputSchema": results}
    document = {"name": "demo", "version": "1.0.0", "tools": [tool]}
    return load(parse(json.dumps(document)), chosen.rule()).spec


def has_finding(changes: Collection[Change], kind: str) -> bool:
    """Whether something breaks callers, or perhaps does."""
    return any(
        one.id.startswith(kind) and (one.level is Level.ERROR or not one.is_proved)
        for one in changes
    )


def mentions(value: Any, names: Collection[str]) -> bool:
    """Whether a value has a property of some names, however deep."""
    if isinstance(value, dict):
        return any(key in names or mentions(one, names) for key, one in value.items())
    return isinstance(value, list) and any(mentions(one, names) for one in value)
