"""Whole projects under the eyes of pyright, as strict as it can be: what editors show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.generated import REPOSITORY
from tests.project_tools import mypy_findings_in_all
from tests.pyright import errors_in_all

EXAMPLES = sorted(REPOSITORY.glob("examples/*/mcp.yaml"))
HUSHING = ("type: ignore", "pyright:", "# noqa", "mypy:")


def copied(examples: list[Path], folder: Path) -> None:
    """Copy examples into a folder."""
    ignored = shutil.ignore_patterns(".*_cache", "__pycache__", ".venv")
    for spec in examples:
        shutil.copytree(spec.parent, folder / spec.parent.name, ignore=ignored)


@pytest.mark.slow
def test_pyright_accepts_the_examples(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    copied(EXAMPLES, tmp_path)
    assert errors_in_all(pytestconfig.cache.mkdir("pyright"), tmp_path) == {}


@pytest.mark.slow
def test_mypy_accepts_the_examples_with_a_newer_python(tmp_path: Path) -> None:
    copied(
        [each for each in EXAMPLES if each.parent.name in ("everything", "reading-list")], tmp_path
    )
    assert mypy_findings_in_all(tmp_path, "--python-version=3.14") == ""


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.parent.name)
def test_the_examples_have_no_ignore_comments(spec: Path) -> None:
    for path in spec.parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert [words for words in HUSHING if words in text] == [], path
