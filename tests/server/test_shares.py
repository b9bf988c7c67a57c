"""The share of each client of a server over HTTP: what it may have at work, and begin in a minute."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, WebServer, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient
from tests.waiting import WITHIN, wait_until

pytestmark = of_the_sdk

SPEC: dict[str, Any] = {
    "name": "sharing",
    "version": "1",
    "transports": ["streamable-http"],
    "http": {"share": {"calls": 2, "callsPerMinute": 4}, "allowedOrigins": ["https://a.example"]},
    "tools": [
        {"name": name, "description": "Do it.", "inputSchema": {"type": "object"}}
        for name in ("wait", "let_go", "waiting")
    ],
}
WAIT = """
import asyncio

ENDED = asyncio.Event()
STARTED = []


async def wait(arguments, context):
    STARTED.append(context)
    await ENDED.wait()
    return "waited"
"""
LET_GO = """
from sharing.tools.wait import ENDED


async def let_go(arguments, context):
    ENDED.set()
    return "gone"
"""
WAITING = """
from sharing.tools.wait import STARTED


async def waiting(arguments, context):
    return f"{len(STARTED)} wait"
"""
FILES = {"tools/wait.py": WAIT, "tools/let_go.py": LET_GO, "tools/waiting.py": WAITING}
ANN, BEN = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}


@pytest.fixture(scope="module")
def sharing(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("sharing") / "sharing"
    return generate(SPEC, folder, handlers=FILES)


def refused(client: HttpClient, tool: str) -> None:
    with pytest.raises(ConnectionError, match=r"HTTP 429.*too many calls"):
        client.call(tool)


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_one_client_leaves_room_for_others(
    sharing: Generated, check: WireCheck, tmp_path: Path, version: str
) -> None:
    many = ("--client-calls-per-minute", "100000")
    with listening(sharing, "streamable-http", tmp_path / "log.txt", *many) as server:
        ann, ben = (HttpClient(server, version, check, who) for who in (ANN, BEN))
        with ann, ben:
            waiting = [ann.start_call("wait"), ann.start_call("wait")]
            wait_until(lambda: "2 wait" in str(ben.call("waiting")))
            waiting.append(ben.start_call("wait"))
            refused(ann, "let_go")
            assert "gone" in str(ben.call("let_go"))
            for call in waiting:
                assert "waited" in str(call.result(WITHIN))
            assert "gone" in str(ann.call("let_go"))


def heads(server: WebServer, who: str, origin: str = "https://a.example") -> str:
    """What the server answers to a call whose body does not come."""
    request = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {who}\r\n"
        f"Origin: {origin}\r\nContent-Length: 100\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), WITHIN) as connection:
        connection.sendall(request.encode())
        return connection.recv(2000).decode().lower()


def test_too_many_calls_in_a_minute_are_refused_before_they_are_read(
    sharing: Generated, check: WireCheck, tmp_path: Path
) -> None:
    with listening(sharing, "streamable-http", tmp_path / "log.txt") as server:
        for _ in range(5):  # They do not count: any page can send them from Ann's browser.
            assert heads(server, "192.0.2.1", "https://evil.example").startswith("http/1.1 403 ")
        with HttpClient(server, MODERN, check, ANN) as ann:
            for _ in range(4):
                assert "gone" in str(ann.call("let_go"))
            refused(ann, "let_go")
        answer_head = heads(server, "192.0.2.1")
        with HttpClient(server, MODERN, check, BEN) as ben:
            assert "gone" in str(ben.call("let_go"))
    assert answer_head.startswith("http/1.1 429 ")
    seconds = int(answer_head.partition("retry-after: ")[2].partition("\r")[0])
    assert 1 <= seconds <= 15
    # Pages of other sites may read that, too.
    assert "access-control-allow-origin: https://a.example" in answer_head
    assert "retry-after" in answer_head.partition("access-control-expose-headers: ")[2]
