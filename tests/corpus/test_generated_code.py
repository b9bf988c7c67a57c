"""The code generated for real tool lists, and for every schema of the suite, under strict eyes."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruff import find_ruff_bin

from tests.captured import Captured, captured_servers
from tests.corpus.suite import DIALECTS, cases, spec_of
from tests.generated import Generated, generate

BIGGEST = 5
"""Real servers whose code a type checker reads."""


@pytest.fixture(scope="module")
def project(captured: Captured, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(captured.spec, tmp_path_factory.mktemp("generated") / captured.name)


def test_it_compiles_without_a_warning(project: Generated) -> None:
    with warnings.catch_warnings(action="error"):
        for path in sorted(project.folder.rglob("*.py")):
            compile(path.read_bytes(), path, "exec")


def test_ruff_finds_nothing_by_its_default_rules(project: Generated) -> None:
    alone = ("--isolated", "--no-cache", "--target-version=py311")
    for command in (["check"], ["format", "--check"]):
        ruff = subprocess.run(
            [find_ruff_bin(), *command, *alone, "."],
            cwd=project.folder,
            check=False,
            capture_output=True,
            text=True,
        )
        assert ruff.returncode == 0, ruff.stdout


@pytest.mark.slow
def test_mypy_finds_nothing_in_the_biggest(corpus: Path, tmp_path: Path) -> None:
    servers = sorted(captured_servers(corpus / "tools"), key=lambda server: -len(server.tools))
    for server in servers[:BIGGEST]:
        assert_typed(server.spec, tmp_path)


@pytest.mark.slow
def test_mypy_finds_nothing_in_the_types_of_the_schema_suite(corpus: Path, tmp_path: Path) -> None:
    for draft in DIALECTS:
        every = cases(corpus / "json-schema-test-suite", draft)
        assert_typed(spec_of([case for case in every if not case.fetches], draft), tmp_path)


def assert_typed(spec: Mapping[str, Any], folder: Path) -> None:
    project = generate(spec, folder / spec["name"])
    mypy = subprocess.run(
        [sys.executable, "-m", "mypy"],
        cwd=project.folder,
        env={**os.environ, "MYPYPATH": "src"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert mypy.returncode == 0, mypy.stdout + mypy.stderr
