"""Servers that cannot start, cannot stop, or break down while they listen: they say so and end."""

from __future__ import annotations

import json
import signal
import socket
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.generated import (
    PACK,
    Generated,
    free_port,
    generate,
    listening,
    of_the_sdk,
    spawn_quietly,
)
from tests.raw_client import CLIENT_INFO, LEGACY, WireCheck
from tests.raw_web_client import HttpClient

SPEC = {
    "name": "fragile",
    "version": "1",
    "transports": ["streamable-http", "sse"],
    "tools": [
        {
            "name": "wreck",
            "description": "Break what serves the sessions.",
            "inputSchema": {"type": "object", "properties": {"how": {"type": "string"}}},
        }
    ],
}
WRECK = '''\
import gc
from typing import Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


async def fail(how: str) -> None:
    if how == "fails":
        raise RuntimeError("wrecked")
    raise BaseException("wrecked")


async def wreck(arguments: Any, context: Any) -> str:
    """Break the session manager from within, as a fault of the SDK would."""
    [group] = [
        found._task_group
        for found in gc.get_objects()
        if isinstance(found, StreamableHTTPSessionManager)
    ]
    if arguments.how == "ends":
        group.cancel_scope.cancel()
    else:
        group.start_soon(fail, arguments.how)
    await anyio.sleep(30)
    return "still here"
'''
LIFESPAN = """\
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from os import environ
from pathlib import Path

import anyio


@dataclass(frozen=True)
class Shared:
    pass


async def do(what: str) -> None:
    print(what, flush=True)
    if what == environ.get("HANG"):
        await anyio.sleep_forever()
    if what == environ.get("BLOCK"):
        time.sleep(1000)
    if what == environ.get("REFUSE"):
        raise RuntimeError("nowhere to write")


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    try:
        await do("opening")
        yield Shared()
        await do("closing")
    finally:
        print("closed", flush=True)
"""


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("fragile") / "project"
    handlers = {"tools/wreck.py": WRECK, "lifespan.py": LIFESPAN}
    return generate(SPEC, folder, handlers=handlers)


@of_the_sdk
@pytest.mark.parametrize("how", ["ends", "fails", "fails badly"])
def test_a_server_whose_sessions_are_beyond_repair_ends_with_an_error(
    fragile: Generated, check: WireCheck, tmp_path: Path, how: str
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(fragile, "streamable-http", log) as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        call = client.start_call("wreck", how=how)
        assert server.process.wait(timeout=20) == 1
        with suppress(ConnectionError, HTTPException):
            call.result(timeout=20)
    [line] = [line for line in log.read_text().splitlines() if "cannot go on" in line]
    assert line[24:].startswith("ERROR fragile._generated.listener: cannot go on: ")
    assert "wrecked" in line or how == "ends"
    assert "Traceback" not in log.read_text()
    assert "closed" in log.read_text()


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_a_lifespan_that_refuses_is_one_line(fragile: Generated, transport: str) -> None:
    port = str(free_port())
    ran = fragile.run("--transport", transport, "--port", port, REFUSE="opening")
    assert ran.returncode == 1
    [line] = ran.stderr.decode().splitlines()
    assert line.endswith("cannot go on: RuntimeError: nowhere to write")
    ran = fragile.run("--port", port, "--log-level", "debug", REFUSE="opening")
    assert b"Traceback" in ran.stderr


NOT_STOPPED = (1, "has not stopped within 1 seconds")
HANGING = {
    "python": {
        "HANG=closing": NOT_STOPPED,
        "BLOCK=opening": NOT_STOPPED,
        "BLOCK=closing": NOT_STOPPED,
    },
    "python-stdlib": {
        "HANG=closing": (1, "The lifespan does not close"),
        "BLOCK=opening": (1, "The lifespan does not close"),
        "BLOCK=closing": (1, "The lifespan does not close"),
    },
}[PACK] | {"HANG=opening": (0, "closed")}


@pytest.mark.parametrize("hanging", HANGING)
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_lifespan_that_hangs_does_not_outlast_a_signal(
    fragile: Generated,
    tmp_path: Path,
    transport: str,
    hanging: str,
    stop: signal.Signals,
) -> None:
    variable, _, moment = hanging.partition("=")
    code, told = HANGING[hanging]
    log, port = tmp_path / "log.txt", free_port()
    options = ("--transport", transport, "--port", str(port), "--limit-stop-time", "1")
    with log.open("wb") as output:
        command, environment = fragile.command(*options), fragile.environment | {variable: moment}
        process = spawn_quietly(command, fragile.folder, environment, output)
    try:
        sign = "opening" if moment == "opening" else "running on http:"
        deadline = time.monotonic() + 60
        while sign not in log.read_text():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)
        process.send_signal(stop)
        assert process.wait(timeout=20) == code
    finally:
        process.kill()
        process.wait()
    assert told in log.read_text()
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_a_clean_stop_logs_no_error(fragile: Generated, tmp_path: Path, transport: str) -> None:
    log = tmp_path / "log.txt"
    with listening(fragile, transport, log) as server:
        stream = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        head = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        if transport == "streamable-http":
            hello = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
            message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
            body = json.dumps(message)
            head = (
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Accept: application/json, text/event-stream\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}"
            )
        with stream:
            stream.sendall(head.encode())
            assert stream.recv(65536).startswith(b"HTTP/1.1 200 ")
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(timeout=20) == 0
    assert "ERROR" not in log.read_text()
    assert "closed" in log.read_text()
