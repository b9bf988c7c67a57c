"""Every server under test has the sample database."""

import pytest


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE", raising=False)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
