"""Every server under test serves the samples."""

import pytest


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FILES_FOLDER", raising=False)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
