"""Fixtures of the tests of what a run does to a project on disk."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the project of a test lies."""
    return tmp_path / "project"
