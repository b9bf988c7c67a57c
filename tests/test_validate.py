"""Several specs at once."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["validate", "--help"], ["new", "--help"]]
)
def test_what_reads_no_spec_imports_nothing_that_checks_one(words: list[str]) -> None:
    code = (
        "import sys; from scaffold.cli.main import main\n"
        "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    program = [sys.executable, "-c", code, *words]
    run = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert "click" in loaded
    assert not loaded & {"pydantic", "pydantic_core", "yaml", "jsonschema_rs", "scaffold.spec"}


@pytest.mark.usefixtures("starts_programs")
def test_checking_a_spec_imports_nothing_that_only_generating_needs() -> None:
    code = "import sys, scaffold.cli.people, scaffold.commands.validate; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"jinja2", "copier", "scaffold.project.generate", "importlib.resources"}
