"""The fixture server: the example `conformance`, as it lies in the repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, WebServers

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def fixtures() -> Generated:
    return Generated(REPOSITORY / "examples" / "conformance", "conformance")


@pytest.fixture(scope="module")
def web(
    fixtures: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport over HTTP; its log must hold no traceback."""
    with WebServers(fixtures, tmp_path_factory) as servers:
        yield servers
    for server in servers.running.values():
        assert "Traceback" not in server.log.read_text()
