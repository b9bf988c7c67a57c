"""Fixtures of the tests of trials of servers."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """Most tests here start servers."""
