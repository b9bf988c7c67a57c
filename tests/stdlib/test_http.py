"""The pack's own HTTP server, where it must not differ from the pack `python`."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.generated import Generated, generate, listening
from tests.raw_client import CLIENT_INFO, MODERN
from tests.raw_web_client import post, unread

SPEC = {
    "name": "patient",
    "version": "1",
    "transports": ["streamable-http"],
    "tools": [
        {
            "name": "echo",
            "description": "Echo.",
            "inputSchema": {
                "type": "object",
                "properties": {"number": {"type": "integer", "x-mcp-header": "Number"}},
            },
        }
    ],
}
ECHO = """
import time


async def echo(arguments, context):
    time.sleep(arguments.model_extra.get("blocking", 0))
    return "x" * arguments.model_extra.get("length", 1)
"""


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server that sends comments sooner than others, so that tests need not wait for long."""
    folder = tmp_path_factory.mktemp("patient") / "patient"
    project = generate(SPEC, folder, handlers={"tools/echo.py": ECHO}, pack="python-stdlib")
    module = folder / "src/patient/_generated/exchange.py"
    text = module.read_text()
    assert "KEEP_ALIVE = 15.0" in text
    module.write_text(text.replace("KEEP_ALIVE = 15.0", "KEEP_ALIVE = 0.3"))
    return project


def call(**arguments: int) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a call of the newest protocol."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "echo", "arguments": arguments, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "echo",
        "Connection": "close",
    }
    return json.dumps(message).encode(), headers


def test_health_says_nothing_as_long_as_a_handler_blocks_the_loop(
    patient: Generated, tmp_path: Path
) -> None:
    with (
        listening(patient, "streamable-http", tmp_path / "log.txt") as server,
        ThreadPoolExecutor() as pool,
    ):
        body, headers = call(blocking=2)
        blocking = pool.submit(post, server.port, "/mcp", body, headers)
        time.sleep(0.5)
        begun = time.monotonic()
        status, _, body = server.request("GET", "/health")
        assert time.monotonic() - begun > 1
        assert (status, json.loads(body)) == (200, {"status": "ok"})
        assert b": keep-alive" in blocking.result().body


def test_the_end_of_an_answer_waits_for_a_client_that_pauses(
    patient: Generated, tmp_path: Path
) -> None:
    """What the system takes of an answer differs; of one of these, some is left over."""
    with (
        listening(patient, "streamable-http", tmp_path / "log.txt") as server,
        ThreadPoolExecutor(60) as pool,
    ):
        lengths = range(2_000_000, 3_500_000, 25_000)
        cut = pool.map(lambda length: paused(server.port, length) < length, lengths)
        assert not any(cut)


def test_a_header_that_is_nested_too_deeply_is_refused(patient: Generated, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with listening(patient, "streamable-http", log) as server:
        body, headers = call(number=1)
        answer = post(server.port, "/mcp", body, {**headers, "Mcp-Param-Number": "[" * 60_000})
        assert answer.status == 400
    assert "Traceback" not in log.read_text()


def paused(port: int, length: int) -> int:
    """Ask for an answer of a length, read after a pause; return how much of it came."""
    with unread(port, "/mcp", *call(length=length)) as line:
        time.sleep(5)
        came = 0
        while part := line.recv(1_000_000):
            came += part.count(b"x")
        return came
