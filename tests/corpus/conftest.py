"""Fixtures of the tests with real tool lists."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start servers, type checkers or new Pythons."""
