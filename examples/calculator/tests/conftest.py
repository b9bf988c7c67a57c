"""How the tests run: on asyncio, as the server does, and on slow machines too."""

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
