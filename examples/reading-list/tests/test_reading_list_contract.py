# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec."""

import hashlib
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server import Server

from reading_list._generated.runtime.handlers import BaseContext, Calls, Model
from reading_list._generated.runtime.tools import Tool, Tools

PROJECT = Path(__file__).parents[1]
client = runpy.run_path(str(PROJECT / "client.py"))

CATALOG = PROJECT / "src/reading_list/_generated/catalog.json"
DIGEST = "c00e4a299750f25a0fb797f757bc0d4f700b45b1bc9981dc113bfd157ac97aaa"
COMMAND = [sys.executable, "-m", "reading_list"]
# Seconds that the server may take to start and to stop.
PATIENCE = 60


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_server_does_what_the_spec_says(mode: str) -> None:
    async def tell() -> list[tuple[str, str]]:
        async with client["told"](client["started"](), mode) as story:
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


def test_the_end_of_input_ends_the_server() -> None:
    ended = subprocess.run(
        [*COMMAND, "--transport", "stdio"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"")
