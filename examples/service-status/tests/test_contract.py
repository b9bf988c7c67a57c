# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test the messages of a running server against the spec."""

import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from client import INVALID
from service_status._generated import handlers
from service_status._generated.contract import is_stub

GENERATED = files("service_status._generated")
CATALOG = json.loads(GENERATED.joinpath("catalog.json").read_bytes())
# Seconds that the server may take to answer.
PATIENCE = 60
# The server finds what the tests find, installed or not.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


class Server:
    """A running server: one line of JSON for each request, one for each answer."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service_status"],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.ids = itertools.count()
        client = {"name": "test_contract", "version": "1"}
        self.request(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo=client,
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        assert self.process.stdout
        number = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        assert line, f"no answer to {method}: the server ended, or hung"
        answer: dict[str, Any] = json.loads(line)
        assert answer["id"] == number
        return answer

    def stop(self) -> None:
        output, _ = self.process.communicate(timeout=PATIENCE)
        assert output == b""
        assert self.process.returncode == 0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


def test_the_tools_are_those_of_the_spec(server: Server) -> None:
    assert server.request("tools/list")["result"]["tools"] == CATALOG["tools"]


@pytest.mark.parametrize("tool", INVALID)
def test_invalid_arguments_never_reach_the_handler(server: Server, tool: str) -> None:
    answer = server.request("tools/call", name=tool, arguments=INVALID[tool])
    assert answer["result"]["isError"]
    assert answer["result"]["content"][0]["text"].startswith("Invalid arguments")


def test_an_unknown_tool_is_a_protocol_error(server: Server) -> None:
    answer = server.request("tools/call", name="no_such_tool", arguments={})
    assert answer["error"]["code"] == -32602


def test_an_unknown_method_is_a_protocol_error(server: Server) -> None:
    assert server.request("no/such/method")["error"]["code"] == -32601


def test_every_handler_is_written() -> None:
    rows: list[tuple[str, Any]] = [
        *handlers.TOOLS.items(),
    ]
    if stubs := [name for name, row in rows if is_stub(row.handler)]:
        pytest.skip(f"{len(stubs)} to write: {', '.join(stubs)}")
