"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material that lies beside a developer's checkout, where there is one."""
    folder = Path(os.environ.get("MCP_SCAFFOLD_SHARED", REPOSITORY.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no reference material at {folder}")
    return folder


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Path:
    """Real tool lists, hostile specs, OpenAPI documents and the JSON-Schema-Test-Suite."""
    return shared / "corpus"
