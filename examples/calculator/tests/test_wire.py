"""The server as its users meet it: a process, fed with lines or spoken to by client.py."""

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
SERVER = [sys.executable, "-m", "calculator"]
ARITHMETIC = "com.example.calculator/arithmetic"
CURRENT = "com.example.weather/current"
LEGACY: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}


def test_lines_piped_in_are_answered_a_line_each_until_the_input_ends() -> None:
    client = {"name": "a shell", "version": "1"}
    answers = pipe(
        request(1, "initialize", {**LEGACY, "clientInfo": client}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "tools/list", {}),
        call(3, ARITHMETIC, {"expression": "2 + 3 * 4"}),
        call(4, ARITHMETIC, {"expression": "2 + * 4"}),
        call(5, CURRENT, {"location": "San Francisco", "units": "imperial"}),
        call(6, CURRENT, {"location": "San Francisco", "units": "kelvin"}),
        request(7, "resources/read", {"uri": "weather://places"}),
    )
    assert sorted(answers) == [1, 2, 3, 4, 5, 6, 7]
    assert answers[1]["serverInfo"]["name"] == "calculator"
    assert [tool["name"] for tool in answers[2]["tools"]] == [ARITHMETIC, CURRENT]
    assert answers[3] == {"content": [{"type": "text", "text": "14"}], "isError": False}
    assert answers[4]["isError"]
    assert answers[5]["structuredContent"]["temperature"] == 68.0
    assert answers[6]["isError"]
    assert "/units" in answers[6]["content"][0]["text"]
    assert "Tokyo" in answers[7]["contents"][0]["text"]


def pipe(*messages: dict[str, Any]) -> dict[int, Any]:
    """The results by the ids of their requests."""
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


def test_client_py_is_content_with_the_server_that_it_starts() -> None:
    run_client()


def test_client_py_is_content_with_a_server_over_http(http_server: str) -> None:
    run_client("--url", http_server)


def run_client(*options: str) -> None:
    command = [sys.executable, "client.py", *options]
    subprocess.run(command, cwd=PROJECT, timeout=30, check=True)


@pytest.fixture
def http_server() -> Iterator[str]:
    """The address of a server that runs."""
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
