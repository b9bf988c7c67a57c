"""Fixtures for installing into clients."""

from __future__ import annotations

import pytest

from scaffold.clients.installing import install, remove


@pytest.fixture(autouse=True)
def no_running_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at no applications of the real machine."""
    for module in (install, remove):
        monkeypatch.setattr(module, "running", lambda _: None)
