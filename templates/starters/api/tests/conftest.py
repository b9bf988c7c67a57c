"""Every server under test talks to the stand-in."""

import pytest


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TICKETS_API", raising=False)
    monkeypatch.delenv("TICKETS_TOKEN", raising=False)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
