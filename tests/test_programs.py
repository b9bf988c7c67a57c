"""A test that starts a program without the fixture for it fails, and one with it is marked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
CONFTEST = """
import pytest
from tests.programs import starts_programs, pytest_itemcollected, pytest_runtest_protocol

@pytest.fixture
def started(starts_programs):
    import subprocess
    subprocess.run(["true"], check=True)
"""
TESTS = """
import subprocess
from pathlib import Path
from tests.command import run

def test_with(started): subprocess.run(["true"], check=True)
def test_without(): subprocess.run(["true"], check=True)
def test_without_in_a_shell(): __import__("os").system("true")
def test_command(): assert run("schema").code == 0
def test_command_that_starts_git():
    run("breaking", "{spec}", "--against", "git:HEAD")
"""
REFUSED = {"test_without", "test_without_in_a_shell", "test_command_that_starts_git"}


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    ("options", "passed"),
    [([], 2), (["-m", "not starts_programs"], 1)],
    ids=["all", "those that are not marked"],
)
def test_what_starts_programs_must_say_so(tmp_path: Path, options: list[str], passed: int) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS.format(spec=REPOSITORY / "specs/weather.yaml"))
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = {line.split()[1] for line in ended.stdout.splitlines() if line.startswith("FAILED")}
    assert failed == {f"test_it.py::{name}" for name in REFUSED}, ended.stdout
    assert f"{passed} passed" in ended.stdout
    assert ended.stdout.count("no test starts git") >= 1
