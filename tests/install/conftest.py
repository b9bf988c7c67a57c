"""Fixtures for installing into clients."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.install import install
from tests.install.machines import Desk


@pytest.fixture(autouse=True)
def no_running_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at no applications of the real machine."""
    monkeypatch.setattr(install, "running", lambda _: None)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path)
