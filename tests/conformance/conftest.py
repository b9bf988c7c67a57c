"""The fixture server: the example `conformance`, as it lies in the repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, listening

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def fixtures() -> Generated:
    return Generated(REPOSITORY / "examples" / "conformance", "conformance")


@pytest.fixture(scope="module")
def web(
    fixtures: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport over HTTP; its log must hold no traceback."""
    running: dict[str, WebServer] = {}
    with ExitStack() as stack:

        def get(transport: str) -> WebServer:
            if transport not in running:
                log = tmp_path_factory.mktemp(transport) / "log.txt"
                running[transport] = stack.enter_context(listening(fixtures, transport, log))
            return running[transport]

        yield get
    for server in running.values():
        assert "Traceback" not in server.log.read_text()
