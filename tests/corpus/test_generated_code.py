"""The code generated for real tool lists, and for every schema of the suite, under strict eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.captured import captured_servers
from tests.corpus.suite import DIALECTS, cases, spec_of
from tests.generated import generate
from tests.project_tools import mypy_findings_in_all

BIGGEST = 5
"""Real servers whose code a type checker reads."""


@pytest.mark.slow
def test_mypy_accepts_the_biggest_servers_and_the_types_of_the_suite(
    corpus: Path, tmp_path: Path
) -> None:
    servers = sorted(captured_servers(corpus / "tools"), key=lambda server: -len(server.tools))
    specs = [server.spec for server in servers[:BIGGEST]]
    for draft in DIALECTS:
        every = cases(corpus / "json-schema-test-suite", draft)
        specs.append(spec_of([case for case in every if not case.fetches], draft))
    for spec in specs:
        generate(spec, tmp_path / spec["name"])
    assert mypy_findings_in_all(tmp_path) == ""
