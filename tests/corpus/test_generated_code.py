"""The code generated for real tool lists, and for every schema of the suite, under strict eyes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.captured import captured_servers
from tests.corpus.suite import DIALECTS, cases, spec_of
from tests.generated import generate
from tests.project_tools import failed

BIGGEST = 5
"""Real servers whose code a type checker reads."""


@pytest.mark.slow
def test_mypy_finds_nothing_in_the_biggest_servers_and_the_types_of_the_suite(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = sorted(captured_servers(corpus / "tools"), key=lambda server: -len(server.tools))
    specs = [server.spec for server in servers[:BIGGEST]]
    for draft in DIALECTS:
        every = cases(corpus / "json-schema-test-suite", draft)
        specs.append(spec_of([case for case in every if not case.fetches], draft))
    for spec in specs:
        generate(spec, tmp_path / spec["name"])
    sources = [f"{spec['name']}/src" for spec in specs]
    monkeypatch.setenv("MYPYPATH", os.pathsep.join(sources))
    assert failed(tmp_path, "mypy", "--strict", *sources) == ""
