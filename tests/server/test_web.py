"""Servers that listen: what all of them keep to, tried on processes; the rest is in `tests/runtime`."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import LEGACY, MODERN, RawClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient, post
from tests.server.conftest import Connect

TOKEN = "correct horse battery staple"
WEB = ["streamable-http", "sse"]


@pytest.fixture(scope="module")
def guarded(
    workshop: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport that asks for a token."""
    running: dict[str, WebServer] = {}
    with ExitStack() as stack:

        def get(transport: str) -> WebServer:
            if transport not in running:
                log = tmp_path_factory.mktemp("guarded") / "log.txt"
                server = listening(workshop, transport, log, WORKSHOP_TOKEN=TOKEN)
                running[transport] = stack.enter_context(server)
            return running[transport]

        yield get


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_who_has_the_token_is_served_and_nobody_else(
    guarded: Callable[[str], WebServer], check: WireCheck, transport: str, version: str
) -> None:
    server = guarded(transport)
    kind = SseClient if transport == "sse" else HttpClient
    client: RawClient = kind(server, version, check, {"Authorization": f"Bearer {TOKEN}"})
    with client:
        assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"
    assert client.faults == []
    assert TOKEN not in client.log
    path = "/messages/?session_id=00" if transport == "sse" else "/mcp"
    assert post(server.port, path, b"{}", {}).status == 401
    assert server.request("GET", "/health")[0] == 200


@pytest.mark.parametrize("transport", WEB)
def test_without_a_token_nobody_else_is_listened_to(workshop: Generated, transport: str) -> None:
    ran = workshop.run("--transport", transport, "--host", "0.0.0.0", "--port", "0")
    assert ran.returncode == 1
    assert b"workshop: others can reach a server at 0.0.0.0" in ran.stderr
    assert b"--allow-unauthenticated" in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_told(workshop: Generated) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ran = workshop.run("--transport", "sse", "--port", port)
    assert ran.returncode != 0
    assert b"address already in use" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("transport", ["stdio", *WEB])
def test_a_missing_variable_is_told_in_a_line_before_anything_is_served(
    workshop: Generated, transport: str
) -> None:
    ran = Generated(workshop.folder, workshop.package).run("--transport", transport)
    assert (ran.returncode, ran.stdout) == (1, b"")
    *warnings, told = ran.stderr.splitlines()
    assert told == b"workshop: WORKSHOP_DIARY is not set"
    assert all(b" WARNING workshop._generated.runtime.bearer: " in one for one in warnings)


PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
BODIES = {
    "nothing": b"",
    "half a message": PING[:20],
    "not UTF-8": b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}',
    "a number": b"7",
    "a batch": b"[" + PING + b"]",
    "params of a wrong type": b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}',
    "a lone surrogate": b'{"jsonrpc": "2.0", "id": 7, "method": "\\ud800"}',
    "depth": b"[" * 100_000,
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("kind", ["streamable-http", "modern", "sse"])
def test_a_body_that_is_no_message_is_a_bad_request_and_no_more(
    connect: Connect, kind: str, body: str
) -> None:
    client = connect(
        "sse" if kind == "sse" else "streamable-http",
        MODERN if kind == "modern" else LEGACY[-1],
    )
    assert isinstance(client, HttpClient | SseClient)
    path = client.endpoint if isinstance(client, SseClient) else "/mcp"
    headers = client.headers
    if kind == "modern":
        headers = headers | {"MCP-Protocol-Version": MODERN, "Mcp-Method": "ping"}
    answer = post(client.server.port, path, BODIES[body], headers)
    assert answer.status == 400
    assert b"Traceback" not in answer.body
    assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Mcp-Method", "tools/list"),
        ("Mcp-Name", "greet"),
        ("MCP-Protocol-Version", LEGACY[-1]),
    ],
)
def test_headers_must_say_what_the_message_says(connect: Connect, header: str, value: str) -> None:
    """MCP 2026-07-28, basic/transports/streamable-http."""
    client = connect("streamable-http", MODERN)
    assert isinstance(client, HttpClient)
    params = {"name": "nothing", "_meta": client.envelope()}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    right = client.headers_of(message)
    assert client.post(json.dumps(message).encode(), right).status == 200
    assert client.post(json.dumps(message).encode(), right | {header: value}).status == 400


def test_a_session_that_was_ended_is_gone(
    web: Callable[[str], WebServer], check: WireCheck
) -> None:
    server = web("streamable-http")
    with HttpClient(server, LEGACY[-1], check) as client:
        assert server.request("DELETE", "/mcp", client.headers)[0] == 200
        assert client.post(PING, client.headers).status == 404


def test_no_session_id_is_in_the_log(workshop: Generated, check: WireCheck, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log) as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        client.call("nothing")
    assert len(client.headers["Mcp-Session-Id"]) >= 32
    assert client.headers["Mcp-Session-Id"] not in log.read_text()


WAIT = """
import asyncio
import os
from pathlib import Path


async def wait(arguments, context):
    diary = Path(os.environ["DIARY"])
    diary.write_text("begun")
    try:
        await asyncio.sleep(2)
    except asyncio.CancelledError:
        diary.write_text("cancelled")
        raise
    diary.write_text("finished")
"""


@pytest.mark.parametrize(("version", "end"), [(MODERN, "cancelled"), (LEGACY[-1], "finished")])
def test_a_client_that_leaves_cancels_its_call_since_2026_07_28(
    check: WireCheck, tmp_path: Path, version: str, end: str
) -> None:
    tool = {"name": "wait", "description": "Wait.", "inputSchema": {"type": "object"}}
    spec = {
        "name": "patient",
        "version": "1",
        "transports": ["streamable-http"],
        "tools": [tool],
    }
    patient = generate(spec, tmp_path / "patient", handlers={"tools/wait.py": WAIT})
    diary = tmp_path / "diary.txt"
    with (
        listening(patient, "streamable-http", tmp_path / "log.txt", DIARY=str(diary)) as server,
        HttpClient(server, version, check) as client,
    ):
        params = client._params({"name": "wait", "arguments": {}})
        message = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", **params}
        body = json.dumps(message).encode()
        headers = {
            "Host": "localhost",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
            **client.headers_of(message),
        }
        lines = [
            "POST /mcp HTTP/1.1",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            wait_for(diary, "begun")
        wait_for(diary, end)


def wait_for(diary: Path, text: str) -> None:
    deadline = time.monotonic() + 30
    while not diary.exists() or diary.read_text() != text:
        assert time.monotonic() < deadline, diary.exists() and diary.read_text()
        time.sleep(0.01)
