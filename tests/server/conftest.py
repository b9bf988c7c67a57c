"""The workshop: one generated server with a tool for each thing that can happen to a handler."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from tests.generated import PACK, Generated, WebServer, WebServers, generate
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient

WORKSHOP = Path(__file__).parent / "workshop"
SPEC: dict[str, Any] = yaml.safe_load((WORKSHOP / "mcp.yaml").read_text())
TRANSPORTS = ("stdio", "streamable-http", "sse") if PACK == "python" else ("stdio",)

# Each transport in each era; SSE has gone with the older one.
CLIENTS = [
    f"{kind} {version}"
    for kind in TRANSPORTS
    for version in (LEGACY[-1], MODERN)
    if (kind, version) != ("sse", MODERN)
]

every_version = pytest.mark.parametrize(
    "client", [*CLIENTS, *(f"stdio {version}" for version in LEGACY[:-1])], indirect=True
)

Connect: TypeAlias = Callable[[str, str], RawClient]


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start servers."""


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """The project with its handlers written, with the transports that the pack has."""
    folder = tmp_path_factory.mktemp("workshop")
    spec = WORKSHOP / "mcp.yaml"
    if PACK != "python":
        spec = folder / "mcp.yaml"
        fewer = {key: SPEC[key] for key in SPEC if key not in ("auth", "transports")}
        spec.write_text(json.dumps(fewer))
        (folder / "about.md").write_text((WORKSHOP / "about.md").read_text("utf-8"), "utf-8")
    return generate(
        spec,
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


@pytest.fixture(params=CLIENTS)
def client(connect: Connect, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    """A client on each transport in each era; every message of the test must be valid."""
    client = connect(*request.param.split())
    client.faults.clear()
    yield client
    assert client.faults == []
