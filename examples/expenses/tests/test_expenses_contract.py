# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec, on each of its transports."""

import hashlib
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.server import Server

from expenses._generated.runtime.handlers import BaseContext, Calls, Model
from expenses._generated.runtime.tools import Tool, Tools

PROJECT = Path(__file__).parents[1]
client = runpy.run_path(str(PROJECT / "client.py"))

CATALOG = PROJECT / "src/expenses/_generated/catalog.json"
DIGEST = "a717fef67a38ee8b283e78d39e49df16a1b2e72eb6d638885117661019388d3d"
COMMAND = [sys.executable, "-m", "expenses"]
# Seconds that the server may take to start and to stop.
PATIENCE = 60


@contextmanager
def listening(environment: Mapping[str, str]) -> Generator[str]:
    """Start a server over HTTP, yield its address, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    options = ["--transport", "streamable-http", "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [*COMMAND, *options, "--port", str(port)], env={**environment}
    )
    address, latest = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < latest:
        time.sleep(0.1)
        with suppress(httpx2.ConnectError):
            if httpx2.get(f"{address}/health").is_success:
                break
    try:
        yield address
    finally:
        server.terminate()
        assert server.wait(PATIENCE) == 0


@contextmanager
def reached(transport: str, environment: Mapping[str, str]) -> Generator[Any]:
    """Yield a way to a new server."""
    if transport == "stdio":
        yield client["started"](environment)
        return
    with listening(environment) as address:
        yield client["running"](f"{address}{transport}", environment)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "/mcp"])
def test_the_server_does_what_the_spec_says(
    transport: str, mode: str, tmp_path: Path
) -> None:
    async def tell() -> list[tuple[str, str]]:
        with reached(transport, client["stand_ins"](tmp_path)) as server:
            async with client["told"](server, mode) as story:
                return [step async for step in story.steps()]

    steps = [(client["word_of"](fault), step, fault) for step, fault in anyio.run(tell)]
    assert [step for step in steps if step[0] == "FAIL"] == []
    if to_do := [step for word, step, _ in steps if word == "todo"]:
        pytest.skip(f"{len(to_do)} to write: {', '.join(to_do)}")


def test_the_catalog_is_that_of_the_spec() -> None:
    text = CATALOG.read_text("utf-8")
    assert hashlib.sha256(text.encode()).hexdigest() == DIGEST


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("fails", "Internal error, reference "),
        ("returns_too_little", "Internal error, reference "),
        ("hangs", "The call took longer than 0.1 seconds"),
    ],
)
def test_what_goes_wrong_in_a_handler_is_told_in_time_and_masked(
    tool: str, text: str
) -> None:
    told: list[float] = []

    async def handler(_: Model, context: BaseContext[Any]) -> dict[str, int]:
        await context.progress(0.5)
        if tool == "fails":
            raise ValueError("a secret")
        if tool == "hangs":
            await anyio.sleep(PATIENCE)
        return {}

    async def report(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async def call() -> str:
        schema = {"type": "object", "required": ["number"]}
        entry = {
            "name": tool,
            "inputSchema": {"type": "object"},
            "outputSchema": schema,
        }
        row = Tool[Model, Any](Model, handler, timeout=0.1 if tool == "hangs" else None)
        tools = Tools([entry], {tool: row}, BaseContext, Calls())
        server = Server("test", on_list_tools=tools.list, on_call_tool=tools.call)
        async with Client(server) as caller:
            result = await caller.call_tool(tool, {}, progress_callback=report)
        assert result.is_error
        return str(client["text_of"](result))

    answer = anyio.run(call)
    assert answer.startswith(text)
    assert "secret" not in answer
    assert told == [0.5]


def test_the_end_of_input_ends_the_server(tmp_path: Path) -> None:
    ended = subprocess.run(
        [*COMMAND, "--transport", "stdio"],
        env=client["stand_ins"](tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    tmp_path = tmp_path_factory.mktemp("server")
    with listening(client["stand_ins"](tmp_path)) as address:
        yield address


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/mcp"])
def test_strangers_are_refused(
    address: str, path: str, headers: dict[str, str], status: int
) -> None:
    ours = {"Accept": "application/json, text/event-stream"}
    answer = httpx2.request(
        "POST",
        f"{address}{path}",
        headers=ours | headers,
        json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
    )
    assert answer.status_code == status
