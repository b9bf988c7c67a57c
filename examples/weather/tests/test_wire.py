"""Test the server as a process: with lines on its input, and with client.py."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

PROJECT = Path(__file__).parent.parent
SERVER = [sys.executable, "-m", "weather"]
LEGACY: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}


def test_each_line_of_the_input_is_answered_with_a_line() -> None:
    client = {"name": "a shell", "version": "1"}
    answers = pipe(
        request(1, "initialize", {**LEGACY, "clientInfo": client}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "tools/list", {}),
        call(3, "get_alerts", {"state": "CA"}),
        call(4, "get_forecast", {"latitude": 37.7749, "longitude": -122.4194}),
        call(5, "get_alerts", {"state": "California"}),
    )
    assert sorted(answers) == [1, 2, 3, 4, 5]
    assert answers[1]["serverInfo"]["name"] == "weather"
    tools = [tool["name"] for tool in answers[2]["tools"]]
    assert tools == ["get_alerts", "get_forecast"]
    assert "Wind Advisory" in answers[3]["content"][0]["text"]
    assert answers[4]["structuredContent"]["periods"][0]["temperature"] == 52
    assert answers[5]["isError"]
    assert "/state" in answers[5]["content"][0]["text"]


def pipe(*messages: dict[str, Any]) -> dict[int, Any]:
    """Return the results by the ids of their requests."""
    ended = subprocess.run(
        SERVER,
        input="".join(json.dumps(message) + "\n" for message in messages),
        stdout=subprocess.PIPE,
        text=True,
        timeout=20,
        check=True,
    )
    answers = map(json.loads, ended.stdout.splitlines())
    return {answer["id"]: answer["result"] for answer in answers}


def request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return request(number, "tools/call", {"name": tool, "arguments": arguments})


def test_client_py_accepts_the_server_that_it_starts() -> None:
    run_client()


def test_client_py_accepts_a_server_over_http(http_server: str) -> None:
    run_client("--url", http_server)


def run_client(*options: str) -> None:
    command = [sys.executable, "client.py", *options]
    subprocess.run(command, cwd=PROJECT, timeout=30, check=True)


@pytest.fixture
def http_server() -> Iterator[str]:
    """The address of a running server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [*SERVER, "--transport", "streamable-http", "--port", str(port)]
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait(timeout=10)


def wait_for(address: str) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            with urlopen(address, timeout=5):
                return
        except URLError:
            assert time.monotonic() < deadline, f"{address} does not answer"
            time.sleep(0.1)
