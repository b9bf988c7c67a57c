"""Five hundred open streams and thirty-two busy clients on a server, or on one by hand."""

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
from typing import Any, Protocol

from tests.conformance.memory import memory_of
from tests.generated import WebServer, free_port, spawn_quietly, stop
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, events

STREAMS = 500
CLIENTS = 32
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
    """A server with its streams open."""

    server: WebServer
    transport: str
    kib_per_stream: float

    def busy(self, seconds: float) -> float:
        """Let each client make one call after the other; how many a second were answered right."""
        new_caller: Callable[[WebServer], Caller]
        new_caller = SseCaller if self.transport == "sse" else PostCaller
        with ExitStack() as stack:
            callers = [new_caller(self.server) for _ in range(CLIENTS)]
            for caller in callers:
                stack.callback(caller.close)
            end = time.monotonic() + seconds

            def keep_busy(number: int) -> int:
                count = 0
                while time.monotonic() < end:
                    count += 1
                    region = f"r{number}-{count}"
                    answer = callers[number].call(count, region)
                    assert answer["id"] == count
                    text = answer["result"]["content"][0]["text"]
                    assert text == f"The region is {region}."
                return count

            with ThreadPoolExecutor(CLIENTS) as threads:
                return sum(threads.map(keep_busy, range(CLIENTS))) / seconds


def load(server: WebServer, transport: str, stack: ExitStack) -> Loaded:
    """Open the streams, until the stack ends."""
    for _ in range(3):  # What it loads at first use is not the streams' doing.
        stack.enter_context(open_stream(server, transport))
    before = memory_of(server.process.pid)
    for _ in range(STREAMS):
        stack.enter_context(open_stream(server, transport))
    taken = memory_of(server.process.pid) - before
    return Loaded(server, transport, taken / STREAMS)


@contextmanager
def by_hand(transport: str, log: Path) -> Iterator[WebServer]:
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
