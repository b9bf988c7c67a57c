"""What every test may count on."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
