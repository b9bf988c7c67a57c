"""Clients that send and do not read: the server stops reading, and takes no memory for them."""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer
from tests.measured import memory_of
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, WireCheck
from tests.raw_web_client import SseClient, post
from tests.waiting import WITHIN

HELLO = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
LENGTH = 20_000
"""Characters of an argument that comes back."""

CALLS = 5_000
"""Of which the answers would take 100 MB."""

GROWTH = 30_000
"""KiB that the server may take for them."""

AT_WORK = 65_536
"""KiB of calls that may be at work over stdio besides, where a busy machine is slow to end them."""


def call(number: int) -> bytes:
    params = {"name": "greet", "arguments": {"name": "x" * LENGTH}}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    return json.dumps(message).encode()


def test_stdio_is_read_only_as_fast_as_answers_are_and_all_calls_are_answered(
    workshop: Generated,
) -> None:
    process = workshop.anew().spawn("--transport", "stdio")
    assert process.stdin
    assert process.stdout
    handshake(process)
    before = memory_of(process.pid)
    lines = b"".join(call(number) + b"\n" for number in range(CALLS))
    left = written_until_blocked(process.stdin.fileno(), lines)
    assert len(left) > len(lines) / 2, "it goes on reading"
    assert memory_of(process.pid) - before < GROWTH + AT_WORK
    answered = (len(lines) - len(left)) // len(call(1000))
    numbers = {json.loads(process.stdout.readline())["id"] for _ in range(answered // 2)}
    assert len(numbers) == answered // 2
    process.kill()
    process.communicate()


@pytest.mark.parametrize("closed", ["both", "its end of the input"])
def test_a_client_that_leaves_its_answers_unread_ends_the_server(
    workshop: Generated, closed: str
) -> None:
    process = workshop.anew().spawn(WORKSHOP_GRACE_TIME="1")
    assert process.stdin
    assert process.stdout
    assert process.stderr
    handshake(process)
    lines = b"".join(call(number) + b"\n" for number in range(CALLS))
    assert written_until_blocked(process.stdin.fileno(), lines), "it goes on reading"
    process.stdin.close()
    if closed == "both":
        process.stdout.close()
    assert process.wait(WITHIN) == 0
    assert b"Traceback" not in process.stderr.read()
    for stream in (process.stdout, process.stderr):
        stream.close()


def test_a_stop_does_not_wait_for_a_client_that_reads_nothing(workshop: Generated) -> None:
    process = workshop.anew().spawn()
    assert process.stdin
    assert process.stdout
    assert process.stderr
    handshake(process)
    lines = b"".join(call(number) + b"\n" for number in range(CALLS))
    assert written_until_blocked(process.stdin.fileno(), lines), "it goes on reading"
    begun = time.monotonic()
    process.terminate()
    assert process.wait(WITHIN) == 0
    assert time.monotonic() - begun < 5
    assert b"Traceback" not in process.stderr.read()
    process.stdin.close()
    for stream in (process.stdout, process.stderr):
        stream.close()


def test_stdio_input_is_limited_by_memory(workshop: Generated, tmp_path: Path) -> None:
    """The messages of calls that run may take 64 MB."""
    process = workshop.anew().spawn()
    assert process.stdin
    assert process.stdout
    handshake(process)
    end, numbers = tmp_path / "end", range(1, 31)
    lines = b"".join(
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {
                    "name": "slow",
                    "arguments": {"seconds": 0, "tag": "x" * 4_000_000, "until": str(end)},
                },
            }
        ).encode()
        + b"\n"
        for number in numbers
    )
    left = written_until_blocked(process.stdin.fileno(), lines)
    assert 64 * 2**20 < len(lines) - len(left) < 72 * 2**20
    end.touch()
    os.set_blocking(process.stdin.fileno(), True)
    with ThreadPoolExecutor() as threads:
        threads.submit(process.stdin.write, left)
        threads.submit(process.stdin.flush)
        answered = {json.loads(process.stdout.readline())["id"] for _ in numbers}
    assert answered == {*numbers}
    process.kill()
    process.communicate()


def handshake(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    assert process.stdout
    initialize = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    process.stdin.write(json.dumps(initialize).encode() + b"\n")
    process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 0


def written_until_blocked(descriptor: int, data: bytes) -> bytes:
    """Write for as long as somebody reads; return what is left."""
    os.set_blocking(descriptor, False)
    left = memoryview(data)
    with selectors.DefaultSelector() as ready:
        ready.register(descriptor, selectors.EVENT_WRITE)
        while left and ready.select(timeout=3):
            left = left[os.write(descriptor, left[:65536]) :]
    return bytes(left)


def test_sse_input_is_limited_by_answers_and_others_are_served(
    web: Callable[[str], WebServer], check: WireCheck
) -> None:
    server = web("sse")
    deaf = HTTPConnection("127.0.0.1", server.port)
    deaf.sock = socket.socket()
    deaf.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sock.connect(("127.0.0.1", server.port))
    with closing(deaf):
        deaf.request("GET", "/sse")
        response = deaf.getresponse()
        lines = iter(response.readline, b"")
        endpoint = next(line.decode()[5:].strip() for line in lines if line.startswith(b"data:"))
        initialize = {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": HELLO,
        }
        post(server.port, endpoint, json.dumps(initialize).encode(), {})
        post(
            server.port,
            endpoint,
            b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
            {},
        )
        before = memory_of(server.process.pid)
        taken = 0
        while taken < CALLS and post(server.port, endpoint, call(taken), {}).status == 202:
            taken += 1
        assert taken < CALLS / 2, "it goes on taking calls"
        assert memory_of(server.process.pid) - before < GROWTH
        with SseClient(server, MODERN, check) as other:
            assert "result" in other.call("greet", name="Ada")
