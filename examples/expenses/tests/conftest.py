"""Every server under test asks a stand-in for rates, and forgets the expenses."""

from collections.abc import Iterator

import pytest
from rate_service import rate_service


@pytest.fixture(scope="session", autouse=True)
def environment() -> Iterator[None]:
    with rate_service() as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("STAND_IN_RATES_API", address)
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
