"""Whole projects under the eyes of pyright, as strict as it can be: what editors show."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import REPOSITORY
from tests.pyright import errors_in_all

EXAMPLES = sorted(REPOSITORY.glob("examples/*/mcp.yaml"))
HUSHING = ("type: ignore", "pyright:", "# noqa", "mypy:")


@pytest.mark.slow
def test_pyright_finds_nothing_in_the_examples(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    ignored = shutil.ignore_patterns(".*_cache", "__pycache__", ".venv")
    for spec in EXAMPLES:
        shutil.copytree(spec.parent, tmp_path / spec.parent.name, ignore=ignored)
    assert errors_in_all(pytestconfig.cache.mkdir("pyright"), tmp_path) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["everything", "reading-list"])
def test_mypy_finds_nothing_with_what_is_known_of_a_newer_python(name: str) -> None:
    folder = REPOSITORY / "examples" / name
    ended = subprocess.run(
        ["mypy", "--python-version", "3.14"], cwd=folder, check=False, capture_output=True,
        text=True, env={**os.environ, "MYPYPATH": "src", "PATH": f"{Path(sys.executable).parent}"},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.parent.name)
def test_no_line_of_an_example_asks_a_checker_to_look_away(spec: Path) -> None:
    for path in spec.parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert [words for words in HUSHING if words in text] == [], path
