"""The workshop: one generated server with a tool for each thing that can happen to a handler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from tests.generated import Generated, WebServer, WebServers, generate
from tests.raw_client import LEGACY, MODERN, VERSIONS, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient

WORKSHOP = Path(__file__).parent / "workshop"
CRASHING = Path(__file__).parent / "crashing"
SPEC: dict[str, Any] = yaml.safe_load((WORKSHOP / "mcp.yaml").read_text())
TRANSPORTS = ("stdio", "streamable-http", "sse")
KINDS = [f"{kind} {version}" for kind in TRANSPORTS for version in (LEGACY[-1], MODERN)]

only_modern = pytest.mark.parametrize(
    "client", [f"{kind} {MODERN}" for kind in TRANSPORTS], indirect=True
)

Connect: TypeAlias = Callable[[str, str], RawClient]


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start servers."""


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """The project with its handlers written."""
    folder = tmp_path_factory.mktemp("workshop")
    return generate(
        WORKSHOP / "mcp.yaml",
        folder / "project",
        overlay=WORKSHOP / "project",
        env={"WORKSHOP_DIARY": str(folder / "diary.txt")},
    )


@pytest.fixture(scope="session")
def web(
    workshop: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport over HTTP."""
    with WebServers(workshop, tmp_path_factory) as servers:
        yield servers


@pytest.fixture(scope="session")
def connect(
    workshop: Generated, web: Callable[[str], WebServer], check: WireCheck
) -> Iterator[Connect]:
    """A client by transport and protocol version, one each for all tests."""
    clients: dict[tuple[str, str], RawClient] = {}
    with ExitStack() as stack:

        def get(transport: str, version: str) -> RawClient:
            if (transport, version) not in clients:
                client: RawClient
                if transport == "stdio":
                    client = StdioClient(workshop, version, check)
                elif transport == "sse":
                    client = SseClient(web(transport), version, check)
                else:
                    client = HttpClient(web(transport), version, check)
                clients[transport, version] = stack.enter_context(client)
            return clients[transport, version]

        yield get


@pytest.fixture(params=[f"{kind} {version}" for kind in TRANSPORTS for version in VERSIONS])
def client(connect: Connect, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    """A client on each transport in each version; every message of the test must be valid."""
    client = connect(*request.param.split())
    client.faults.clear()
    yield client
    assert client.faults == []


@pytest.fixture(scope="session")
def crashing(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server whose handlers do what they should not."""
    folder = tmp_path_factory.mktemp("crashing")
    return generate(CRASHING / "mcp.yaml", folder / "project", overlay=CRASHING / "project")


@pytest.fixture(scope="session")
def crashing_web(
    crashing: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    with WebServers(crashing, tmp_path_factory) as servers:
        yield servers


@pytest.fixture(params=KINDS, scope="session")
def both(
    request: pytest.FixtureRequest,
    crashing: Generated,
    crashing_web: Callable[[str], WebServer],
    check: WireCheck,
) -> Iterator[tuple[RawClient, RawClient]]:
    """A client, and another one of the same server; over stdio there is only one."""
    transport, version = request.param.split()
    with ExitStack() as stack:

        def connect() -> RawClient:
            if transport == "stdio":
                return stack.enter_context(StdioClient(crashing, version, check))
            kind = HttpClient if transport == "streamable-http" else SseClient
            return stack.enter_context(kind(crashing_web(transport), version, check))

        client = connect()
        yield client, client if transport == "stdio" else connect()


def assert_served(both: tuple[RawClient, RawClient]) -> None:
    """Both clients are answered, and the server says that it is well."""
    for client in both:
        assert client.call("greet")["result"]["content"][0]["text"] == "Hello!"
        assert client.faults == []
        if isinstance(client, HttpClient | SseClient):
            assert client.server.is_up()
