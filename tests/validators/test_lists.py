"""Checks of the tools of real servers agree with the pack `python`, word for word."""

from __future__ import annotations

from random import Random
from typing import Any

from scaffold.jsonschema.faults import Explainer, validator
from tests.captured import Captured
from tests.validators.compiled import compiled
from tests.validators.made import Made


def test_arguments_and_results_are_judged_in_the_same_words(captured: Captured) -> None:
    random = Random(1)
    for tool in captured.tools:
        for keyword in ("inputSchema", "outputSchema"):
            if keyword in tool:
                assert_agreement(tool[keyword], random)


def assert_agreement(schema: dict[str, Any], random: Random) -> None:
    made = Made(random)
    made.schema = {**schema, "$defs": {**dict.fromkeys("pqr", True), **schema.get("$defs", {})}}
    engine, explain, explainer = validator(schema), compiled(schema), Explainer(schema)
    for _ in range(12):
        try:
            value = made.near(schema)
        except KeyError:  # It refers to something by a longer name.
            value = made.value()
        expected = [] if engine.is_valid(value) else explainer.explain(value)
        assert explain(value) == expected
