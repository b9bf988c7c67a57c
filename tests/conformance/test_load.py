"""Five hundred open streams and thirty-two busy clients on one server, beside a hand-written one.

`LOAD_SECONDS` says how long the clients are busy.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, WebServer, free_port, listening, spawn_quietly, stop
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, events

SECONDS = float(os.environ.get("LOAD_SECONDS", "5"))
STREAMS = 500
CLIENTS = 32
TURN = 1.0
"""Seconds after which the servers take turns, for the machine may have more to do at one time."""
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
MODERN_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": MODERN,
}


def request(id_: int, method: str, params: dict[str, Any]) -> bytes:
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return json.dumps(message).encode()


def call(id_: int, region: str, **more: Any) -> bytes:
    params = {"name": "test_x_mcp_header", "arguments": {"region": region}, **more}
    return request(id_, "tools/call", params)


class Caller(Protocol):
    """A client that makes one call after the other on a connection of its own."""

    def call(self, id_: int, region: str) -> dict[str, Any]: ...

    def close(self) -> None: ...


class PostCaller:
    def __init__(self, server: WebServer) -> None:
        self.connection = HTTPConnection("127.0.0.1", server.port, timeout=60)

    def call(self, id_: int, region: str) -> dict[str, Any]:
        headers = {"Mcp-Method": "tools/call", "Mcp-Name": "test_x_mcp_header"}
        headers |= MODERN_HEADERS | {"Mcp-Param-Region": region}
        self.connection.request("POST", "/mcp", call(id_, region, _meta=ENVELOPE), headers)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == 200, body
        if body.startswith(b"{"):
            return dict(json.loads(body))
        ((_, data),) = events(iter(body.splitlines()))
        return dict(json.loads(data))

    def close(self) -> None:
        self.connection.close()


class SseCaller:
    def __init__(self, server: WebServer) -> None:
        self.stream = HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.stream.request("GET", "/sse")
        self.response = self.stream.getresponse()
        self.events = events(iter(self.response.readline, b""))
        _, self.endpoint = next(self.events)
        self.connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        hello = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
        self.post(request(0, "initialize", hello))
        next(self.events)
        self.post(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def post(self, body: bytes) -> None:
        self.connection.request("POST", self.endpoint, body, {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        assert response.status == 202, response.read()
        response.read()

    def call(self, id_: int, region: str) -> dict[str, Any]:
        self.post(call(id_, region))
        _, data = next(self.events)
        return dict(json.loads(data))

    def close(self) -> None:
        self.response.close()
        self.stream.close()
        self.connection.close()


def open_stream(server: WebServer, transport: str) -> socket.socket:
    """A connection whose answer goes on for as long as it is open."""
    stream = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    if transport == "sse":
        stream.sendall(f"GET /sse HTTP/1.1\r\n{host}Accept: text/event-stream\r\n\r\n".encode())
        sign = b"event: endpoint"
    else:
        wanted = {"notifications": {"toolsListChanged": True}, "_meta": ENVELOPE}
        body = request(1, "subscriptions/listen", wanted)
        headers = MODERN_HEADERS | {"Mcp-Method": "subscriptions/listen"}
        head = host + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        length = f"Content-Length: {len(body)}\r\n\r\n"
        stream.sendall(f"POST /mcp HTTP/1.1\r\n{head}{length}".encode() + body)
        sign = b"notifications/subscriptions/acknowledged"
    received = b""
    while sign not in received:
        part = stream.recv(65536)
        assert part, received
        received += part
    return stream


@dataclass(frozen=True)
class Loaded:
    """A server with its streams open and its clients connected."""

    kib_per_stream: float
    callers: list[Caller]

    def busy(self, seconds: float) -> float:
        """Let each client make one call after the other; how many a second were answered right."""
        end = time.monotonic() + seconds

        def keep_busy(number: int) -> int:
            count = 0
            while time.monotonic() < end:
                count += 1
                region = f"r{number}-{count}"
                answer = self.callers[number].call(count, region)
                assert answer["id"] == count
                assert answer["result"]["content"][0]["text"] == f"The region is {region}."
            return count

        with ThreadPoolExecutor(CLIENTS) as threads:
            return sum(threads.map(keep_busy, range(CLIENTS))) / seconds


def load(server: WebServer, transport: str, stack: ExitStack) -> Loaded:
    """Open the streams and connect the clients, until the stack ends."""
    new_caller: Callable[[WebServer], Caller] = SseCaller if transport == "sse" else PostCaller
    for _ in range(3):  # What it loads at first use is not the streams' doing.
        stack.enter_context(open_stream(server, transport))
    before = memory_of(server.process.pid)
    for _ in range(STREAMS):
        stack.enter_context(open_stream(server, transport))
    taken = memory_of(server.process.pid) - before
    callers = [new_caller(server) for _ in range(CLIENTS)]
    for caller in callers:
        stack.callback(caller.close)
    return Loaded(taken / STREAMS, callers)


@contextmanager
def plain(transport: str, log: Path) -> Iterator[WebServer]:
    """The hand-written server, until the block ends."""
    port = free_port()
    program = Path(__file__).with_name("plain_server.py")
    command = [sys.executable, str(program), transport, str(port)]
    with log.open("wb") as output:
        process: subprocess.Popen[bytes] = spawn_quietly(
            command, log.parent, dict(os.environ), output
        )
    server = WebServer(process, port, log)
    try:
        while not server.is_up():
            assert process.poll() is None, log.read_text()
            time.sleep(0.02)
        yield server
    finally:
        stop(process)


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_many_streams_and_busy_clients_are_served_as_by_a_hand_written_server(
    fixtures: Generated, transport: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = ("--log-level", "warning")
    with (
        listening(fixtures, transport, tmp_path / "generated.txt", *quiet) as generated,
        plain(transport, tmp_path / "plain.txt") as floor,
        ExitStack() as stack,
    ):
        ours, theirs = (load(server, transport, stack) for server in (generated, floor))
        memory = ours.kib_per_stream / theirs.kib_per_stream
        turns = [TURN] * max(1, round(SECONDS / TURN))
        speed = median(ours.busy(turn) / theirs.busy(turn) for turn in turns)
    with capsys.disabled():
        print(f"\n{transport}: memory of a stream {memory:.2f}, calls a second {speed:.2f}")
    assert memory < 1.3
    assert speed > 0.6
    assert "Traceback" not in (tmp_path / "generated.txt").read_text()
