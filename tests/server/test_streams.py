"""Clients that keep the server busy without end: streams, calls, answers that nobody reads."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, RawClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient, post

MOST = ("--limit-connections", "10")
EVENTS = {"Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
ECHO = """
import anyio


async def echo(arguments, context):
    await anyio.sleep(arguments.model_extra.get("seconds", 0))
    return "x" * arguments.model_extra.get("length", 1)
"""


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server that clients can listen to."""
    spec = {
        "name": "news",
        "version": "1",
        "transports": ["streamable-http", "sse"],
        "tools": [{"name": "echo", "description": "Echo.", "inputSchema": {"type": "object"}}],
        "resources": [{"uri": "news://today", "name": "today", "text": "Nothing."}],
        "capabilities": {"resources": {"subscribe": True}},
    }
    folder = tmp_path_factory.mktemp("news") / "news"
    return generate(spec, folder, handlers={"tools/echo.py": ECHO})


def head(method: str, path: str, headers: dict[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in {**EVENTS, **headers}.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def request(headers: dict[str, str], method: str, params: dict[str, object]) -> bytes:
    """A POST of the newest protocol."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    body = json.dumps(message).encode()
    every = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": method,
        **headers,
    }
    return head("POST", "/mcp", every) + body


def call(length: int = 1, seconds: float = 0, peer: str = "10.0.0.1") -> bytes:
    arguments = {"length": length, "seconds": seconds}
    headers = {"Mcp-Name": "echo", "X-Forwarded-For": peer}
    return request(headers, "tools/call", {"name": "echo", "arguments": arguments})


def open_session(server: WebServer, peer: str) -> str:
    body = json.dumps(INITIALIZE).encode()
    answer = post(server.port, "/mcp", body, {"X-Forwarded-For": peer})
    assert answer.status == 200
    return answer.headers["Mcp-Session-Id"]


def opening(server: WebServer, kind: str, peer: str) -> bytes:
    """The request that opens a stream which does not end."""
    headers = {"X-Forwarded-For": peer}
    if kind == "listen":
        told = {"resourceSubscriptions": ["news://today"]}
        return request(headers, "subscriptions/listen", {"notifications": told})
    if kind == "session":
        session = open_session(server, peer)
        return head("GET", "/mcp", {**headers, "Mcp-Session-Id": session})
    return head("GET", "/sse", headers)


def connect(server: WebServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


@contextmanager
def streams(
    server: WebServer, kind: str, count: int, peer: str = "10.0.0.1"
) -> Iterator[list[socket.socket]]:
    """Streams that have begun, until the block ends."""
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            first = opening(server, kind, peer)
            line = stack.enter_context(connect(server))
            line.sendall(first)
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
            opened.append(line)
        yield opened


def is_open(line: socket.socket) -> bool:
    """Whether a stream goes on; a connection may outlive its stream."""
    line.settimeout(0.1)
    with suppress(TimeoutError):
        while data := line.recv(65536):
            if data.endswith(LAST_CHUNK):
                line.shutdown(socket.SHUT_RDWR)  # for the next time that someone asks
                return False
        return False
    return True


def newcomer(server: WebServer, kind: str, check: WireCheck) -> RawClient:
    if kind == "sse":
        return SseClient(server, LEGACY[-1], check)
    return HttpClient(server, MODERN if kind == "listen" else LEGACY[-1], check)


def transport_of(kind: str) -> str:
    return "sse" if kind == "sse" else "streamable-http"


LAST_CHUNK = b"0\r\n\r\n"
KINDS = ["session", "listen", "sse"]


@pytest.mark.parametrize("kind", KINDS)
def test_streams_lock_nobody_out(
    news: Generated, check: WireCheck, tmp_path: Path, kind: str
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(news, transport_of(kind), log, *MOST) as server,
        streams(server, kind, 30),
    ):
        assert server.request("GET", "/health")[0] == 200
        with newcomer(server, kind, check) as client:
            assert client.call("echo")["result"]["content"][0]["text"] == "x"
            assert client.faults == []
        assert server.request("GET", "/health")[0] == 200
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_who_holds_the_most_streams_loses_its_oldest(
    news: Generated, tmp_path: Path, kind: str
) -> None:
    with (
        listening(news, transport_of(kind), tmp_path / "log.txt", *MOST) as server,
        streams(server, kind, 3, peer="10.0.0.2") as others,
        streams(server, kind, 12) as flood,
    ):
        time.sleep(0.5)
        assert all(map(is_open, others))
        states = [is_open(line) for line in flood]
        assert states == sorted(states)
        assert 6 <= sum(states) <= 7


def test_those_who_come_at_the_same_time_are_all_served(news: Generated, tmp_path: Path) -> None:
    options = ("--limit-connections", "200")
    with (
        listening(news, "streamable-http", tmp_path / "log.txt", *options) as server,
        streams(server, "listen", 200),
        ExitStack() as stack,
    ):
        lines = [stack.enter_context(connect(server)) for _ in range(5)]
        time.sleep(0.2)
        for line in lines:
            line.sendall(call())
        for line in lines:
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_idle_connections_go_before_streams(news: Generated, tmp_path: Path) -> None:
    with (
        listening(news, "sse", tmp_path / "log.txt", *MOST) as server,
        streams(server, "sse", 5) as lines,
        ExitStack() as stack,
    ):
        for _ in range(30):
            stack.enter_context(connect(server))
        assert server.request("GET", "/health")[0] == 200
        time.sleep(0.5)
        assert all(map(is_open, lines))


def test_sessions_with_streams_lock_no_new_session_out(
    news: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(news, "streamable-http", log, "--limit-sessions", "10") as server,
        streams(server, "session", 30) as lines,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        assert client.call("echo")["result"]["content"][0]["text"] == "x"
        deadline = time.monotonic() + 20
        while sum(map(is_open, lines)) > 10:
            assert time.monotonic() < deadline, "sessions with streams stay, whatever their number"
    assert "Traceback" not in log.read_text()


def test_a_session_without_a_stream_goes_before_one_with_a_stream(
    news: Generated, tmp_path: Path
) -> None:
    options = ("--limit-sessions", "5")
    with (
        listening(news, "streamable-http", tmp_path / "log.txt", *options) as server,
        streams(server, "session", 1) as [line],
    ):
        for _ in range(10):
            open_session(server, "10.0.0.1")
        time.sleep(1)  # for a stream to end, if it does
        assert is_open(line)


def test_calls_that_take_all_connections_leave_health_and_are_answered(
    news: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with listening(news, "streamable-http", log, *MOST) as server, ExitStack() as stack:
        lines = [stack.enter_context(connect(server)) for _ in range(10)]
        for line in lines:
            line.sendall(call(seconds=4))
        time.sleep(0.5)
        for _ in range(20):
            assert server.request("GET", "/health")[0] == 200
        late = stack.enter_context(connect(server))
        late.sendall(call())
        assert late.recv(65536).startswith(b"HTTP/1.1 503 ")
        for line in lines:
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        time.sleep(0.1)
        after = stack.enter_context(connect(server))
        after.sendall(call())
        assert after.recv(65536).startswith(b"HTTP/1.1 200 ")


def answer(line: socket.socket) -> dict[str, Any]:
    response = HTTPResponse(line)
    response.begin()
    assert response.status == 200
    return dict(json.loads(response.read()))


def test_slow_calls_of_one_client_leave_the_others_their_share(
    news: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    share = ("--limit-connections", "20", "--limit-client-calls", "3")
    with (
        listening(news, "streamable-http", log, *share) as server,
        streams(server, "listen", 4),  # They are no calls.
        ExitStack() as stack,
    ):
        lines = [stack.enter_context(connect(server)) for _ in range(8)]
        for line in lines[:3]:
            line.sendall(call(seconds=4))
        time.sleep(0.5)
        for line in lines[3:]:
            line.sendall(call())
            error = answer(line)["error"]
            assert error["message"] == "Too many calls at once, try again later"
        other = stack.enter_context(connect(server))
        other.sendall(call(peer="10.0.0.2"))
        assert "result" in answer(other)
        for line in lines[:3]:
            assert "result" in answer(line)
        lines[0].sendall(call())
        assert "result" in answer(lines[0])
    assert log.read_text().count("10.0.0.1 has 3 calls in flight, the most") == 1


def deaf(server: WebServer, length: int, buffer: int = 4096) -> socket.socket:
    """A client that asks for much and reads nothing of it."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(20)
    line.connect(("127.0.0.1", server.port))
    line.sendall(call(length))
    return line


def test_who_does_not_read_an_answer_is_hung_up_on(news: Generated, tmp_path: Path) -> None:
    options = ("--limit-body-time", "1")
    with (
        listening(news, "streamable-http", tmp_path / "log.txt", *options) as server,
        deaf(server, 20_000_000) as line,
    ):
        time.sleep(4)
        received = 0
        with suppress(ConnectionResetError):
            while part := line.recv(65536):
                received += len(part)
        assert received < 20_000_000


def test_who_reads_an_answer_slowly_gets_it_all(news: Generated, tmp_path: Path) -> None:
    options = ("--limit-body-time", "2")
    with (
        listening(news, "streamable-http", tmp_path / "log.txt", *options) as server,
        deaf(server, 40_000_000, buffer=200_000) as line,
    ):
        received = 0
        begun = time.monotonic()
        while received < 40_000_000:
            part = line.recv(200_000)
            assert part
            received += len(part)
            time.sleep(len(part) / 8_000_000)
        assert time.monotonic() - begun > 5


def test_answers_that_nobody_reads_lock_nobody_out(news: Generated, tmp_path: Path) -> None:
    with (
        listening(news, "streamable-http", tmp_path / "log.txt", *MOST) as server,
        ExitStack() as stack,
    ):
        for _ in range(12):
            stack.enter_context(deaf(server, 20_000_000))
            time.sleep(0.1)
        for _ in range(3):
            assert server.request("GET", "/health")[0] == 200
