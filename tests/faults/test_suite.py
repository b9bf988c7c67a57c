"""The JSON-Schema-Test-Suite: each value that is not valid is explained, and truly."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.jsonschema.faults import Explainer, validator
from tests.corpus.suite import DIALECTS, Case, cases
from tests.faults.truth import value_at

UNCLEAR = {
    "definitions: validate definition against metaschema",
    "ref: remote ref, containing refs itself",
}
"""The schema of draft-07 itself, which the engine has and does not give away."""


@pytest.fixture(scope="module", params=DIALECTS)
def suite(request: pytest.FixtureRequest, corpus: Path) -> list[Case]:
    return list(cases(corpus / "json-schema-test-suite", request.param))


def test_each_wrong_value_is_explained(suite: list[Case]) -> None:
    unclear = set()
    for case in suite:
        if case.fetches:
            continue
        schema = case.tool["inputSchema"]
        engine = validator(schema)
        explainer = Explainer(schema)
        for instance, valid in case.tests:
            arguments = {"value": instance}
            if engine.is_valid(arguments):
                continue
            assert not valid
            assert explainer.explain(arguments), case.name
            for fault in explainer.find(arguments):
                assert value_at(arguments, fault.spot.path) == fault.spot.value
                if "is not valid" in fault.words:
                    unclear.add(case.name)
    assert unclear <= UNCLEAR
