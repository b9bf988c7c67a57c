"""The JSON-Schema-Test-Suite: every verdict of the checks is right, in the words of the pack `python`."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.jsonschema.faults import Explainer, validator
from scaffold.python.validators.vocabulary import FORMATS
from tests.corpus.suite import DIALECTS, Case, cases
from tests.faults.test_suite import UNCLEAR
from tests.validators.compiled import compiled

INVALID = "[{ %"
"""What no format allows."""


@pytest.fixture(scope="module", params=DIALECTS)
def suite(request: pytest.FixtureRequest, corpus: Path) -> list[Case]:
    return list(cases(corpus / "json-schema-test-suite", request.param))


def test_every_verdict_is_right(suite: list[Case]) -> None:
    count = 0
    for case in suite:
        if case.fetches:
            continue
        schema = case.tool["inputSchema"]
        explain, explainer = compiled(schema), Explainer(schema)
        for instance, valid in case.tests:
            arguments = {"value": instance}
            found = explain(arguments)
            assert (found == []) == valid, (case.name, instance, found)
            if not valid and case.name.split(" (")[0] not in UNCLEAR:
                assert found == explainer.explain(arguments), (case.name, instance)
            count += 1
    assert count > 1000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_formats_that_the_engine_checks_are_checked(dialect: str) -> None:
    names = FORMATS["2020-12"] | {"color", "phone", "style", "ip-address", "unknown"}
    uri = DIALECTS[dialect]
    checked = {
        name for name in names if not validator({"$schema": uri, "format": name}).is_valid(INVALID)
    }
    assert checked == FORMATS["draft-07" if dialect == "draft7" else "2020-12"]
