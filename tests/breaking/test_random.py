"""Random tools: whatever a value shows to break is found, and what is called a break is one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.breaking.change import Change, Level
from scaffold.breaking.compare import compare
from scaffold.project import chosen
from scaffold.schema.index import Index
from scaffold.spec.check import load
from scaffold.spec.format import Spec
from scaffold.yaml.source import parse
from tests.breaking.pairs import (
    BOUNDS,
    Schema,
    pair,
    pair_of_plain_objects,
    plain_object,
    schemas_in,
)
from tests.breaking.proofs import accepts
from tests.validators.made import Made

VALUES = 60
"""The values that are tried for a pair in which nothing is found."""


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_what_breaks_callers_is_never_passed_over(seed: int) -> None:
    check_random(Random(seed))


@pytest.mark.slow
def test_an_equal_or_wider_schema_breaks_nothing_and_is_mostly_proved_to() -> None:
    found = Counter(check_wider(Random(seed)) for seed in range(300))
    assert found["broken"] == 0
    assert found["perhaps broken"] < 0.1 * found["compatible"], found


def check_random(random: Random) -> str:
    """Check a random pair; return what its changes come to."""
    made = random.choice([pair, pair_of_plain_objects])
    return outcome(check(*made(random)))


def check_wider(random: Random) -> str:
    """Check a schema and one that is the same in other words, or wider."""
    old, made = plain_object(random)
    edit: Callable[[Random, Schema], Schema] = random.choice([in_other_words, without_bounds])
    new = edit(random, old)
    changes = check(old, new, made)
    is_broken = changes and any(one.id.startswith("argument-") for one in changes if is_error(one))
    assert not is_broken, (old, new, changes)
    about = [one for one in changes or () if one.id.startswith("argument-")]
    return outcome(None if changes is None else about)


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


def check(narrow: Any, wide: Any, made: Made) -> tuple[Change, ...] | None:
    """Hold what is found from one schema to the other, as arguments and as results, against values.

    None if one of the schemas cannot be in a spec.
    """
    narrow, wide = ({**one, "type": "object"} for one in (narrow, wide))
    try:
        old, new = spec_of(narrow, wide), spec_of(wide, narrow)
    except ScaffoldError:
        return None
    changes = compare(old, new)
    for change in changes:
        if change.refusal is not None:
            assert accepts(narrow, change.witness), (narrow, wide, change)
            assert not accepts(wide, change.witness), (narrow, wide, change)
    # What is new in an open object is not sent before.
    new_names = {one.where.rsplit("/", 1)[1] for one in changes if one.id == "argument-added"}
    is_found = {kind: has_finding(changes, kind) for kind in ("argument-", "result-")}
    first, second = Index.of(narrow).validator, Index.of(wide).validator
    for number in range(0 if all(is_found.values()) else VALUES):
        made.schema = (narrow, wide)[number % 2]
        value = made.near(made.schema)
        if first.is_valid(value) and not second.is_valid(value):
            found = json.dumps([narrow, wide, value, [one.message for one in changes]])
            assert is_found["result-"], found
            assert is_found["argument-"] or mentions(value, new_names), found
    return changes


def spec_of(arguments: Schema, results: Schema) -> Spec:
    """A spec with one tool."""
    tool = {"name": "t", "description": "Do.", "inputSchema": arguments, "outputSchema": results}
    document = {"name": "demo", "version": "1.0.0", "tools": [tool]}
    return load(parse(json.dumps(document)), chosen.rule()).spec


def is_error(change: Change) -> bool:
    return change.level is Level.ERROR


def has_finding(changes: Collection[Change], kind: str) -> bool:
    """Whether something breaks callers, or perhaps does."""
    return any(one.id.startswith(kind) and (is_error(one) or not one.is_proved) for one in changes)


def mentions(value: Any, names: Collection[str]) -> bool:
    """Whether a value has a property of some names, however deep."""
    if isinstance(value, dict):
        return any(key in names or mentions(one, names) for key, one in value.items())
    return isinstance(value, list) and any(mentions(one, names) for one in value)


def outcome(changes: Collection[Change] | None) -> str:
    """What the changes of a tool come to."""
    if changes is None:
        return "unusable"
    if any(map(is_error, changes)):
        return "broken"
    return "compatible" if all(one.is_proved for one in changes) else "perhaps broken"
