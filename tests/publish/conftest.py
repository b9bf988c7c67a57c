"""A project that could be published as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scaffold.base.files import RelPath
from scaffold.commands.new import new
from scaffold.commands.regenerate import regenerate
from tests.repository import Repository

CASES = Path(__file__).parent / "cases"
"""Specs, each with the documents that are generated from it."""

SPEC = (CASES / "all-packages/spec.yaml").read_text("utf-8")

LOCK = """\
version = 1

[[package]]
name = "library"
version = "1.4.0"
source = { editable = "." }

[package.metadata]
requires-dist = [
    { name = "jsonschema-rs", specifier = ">=0.60,<0.61" },
    { name = "mcp", specifier = ">=2.3,<2.4" },
]
"""


def updated(root: Path, *missing: str) -> None:
    """Regenerate a project, with files that are missing."""
    assert regenerate(root, [*map(RelPath, missing)], accept_conflicts=False).applied is not None


def made(folder: Path, spec: str = SPEC) -> Path:
    """Create a project in a folder, with a remote, and write what publishing needs."""
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    root = folder / "library"
    new(folder / "spec.yaml", root)
    (root / "uv.lock").write_text(LOCK, encoding="utf-8")
    repository = Repository(root)
    repository.git("remote", "add", "origin", "git@github.com:Example/library-mcp.git")
    repository.commit("all")
    return root


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here have a project in a git repository."""


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, for tests that do not change it."""
    return made(tmp_path_factory.mktemp("publish"))


@pytest.fixture
def sound(whole: Path, tmp_path: Path) -> Path:
    """A copy of the project, to plant faults in."""
    return shutil.copytree(whole, tmp_path / "library", symlinks=True)
