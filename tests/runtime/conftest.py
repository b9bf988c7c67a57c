"""Fixtures of the tests of the runtime: none of them starts a program."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The runtime is written for asyncio."""
    return "asyncio"
