"""The JSON-Schema-Test-Suite through generated servers: every verdict right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from tests.corpus.recording import as_text, record_calls, recorded_calls
from tests.corpus.suite import DIALECTS, PROPERTY, Case, cases, spec_of
from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck


@pytest.fixture(scope="module", params=DIALECTS)
def suite(request: pytest.FixtureRequest, corpus: Path) -> list[Case]:
    return list(cases(corpus / "json-schema-test-suite", request.param))


def test_every_verdict_of_the_server_is_right(
    suite: list[Case], tmp_path: Path, check: WireCheck
) -> None:
    served = [case for case in suite if not case.fetches]
    project = generate(spec_of(served, "suite"), tmp_path / "suite")
    record_calls(project, {})
    wrong = []
    with StdioClient(project, MODERN, check) as client:
        listed = client.request("tools/list")["result"]["tools"]
        assert json.dumps(listed) == json.dumps([case.tool for case in served])
        for case in served:
            name = case.tool["name"]
            for instance, valid in case.tests:
                result = client.call(name, **{PROPERTY: instance})["result"]
                reached = as_text(recorded_calls(project))
                right = as_text([[name, {PROPERTY: instance}]] if valid else [])
                if reached != right or result["isError"] is valid:
                    wrong.append((case.name, instance, reached, result))
    assert wrong == []
    assert client.faults == []


def test_only_schemas_that_would_have_to_be_fetched_are_refused(
    suite: list[Case], tmp_path: Path
) -> None:
    with pytest.raises(ScaffoldError) as raised:
        generate(spec_of(suite, "suite"), tmp_path / "suite")
    refused = {
        (int((diagnostic.pointer or "").split("/")[2]), diagnostic.id)
        for diagnostic in raised.value.diagnostics
    }
    assert refused == {(case.number, case.fetches) for case in suite if case.fetches}
