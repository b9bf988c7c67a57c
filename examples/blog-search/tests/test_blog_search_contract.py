# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec, on each of its transports."""

import asyncio
import hashlib
import json
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

PROJECT = Path(__file__).parents[1]
client = runpy.run_path(str(PROJECT / "client.py"))

COMMAND = [sys.executable, "-m", "blog_search"]
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
    try:
        while server.poll() is None and time.monotonic() < latest:
            time.sleep(0.1)
            with suppress(httpx2.TransportError):
                if httpx2.get(f"{address}/health").is_success:
                    break
        else:
            pytest.fail("the server did not start")
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
@pytest.mark.parametrize("transport", ["stdio", "/mcp", "/sse"])
def test_the_server_does_what_the_spec_says(
    transport: str, mode: str, tmp_path: Path
) -> None:
    async def check_all() -> list[tuple[str, str]]:
        with reached(transport, client["stand_ins"](tmp_path)) as server:
            async with client["connected"](server, mode) as checks:
                return [check async for check in checks.all()]

    made = asyncio.run(check_all())
    assert [text for word, text in made if word == "FAIL"] == []
    if to_do := [text for word, text in made if word == "todo"]:
        pytest.skip(f"{len(to_do)} to write: {', '.join(to_do)}")


def test_the_generated_files_are_as_they_were_generated() -> None:
    lock = json.loads((PROJECT / ".scaffold/lock.json").read_bytes())
    changed = [
        path
        for path, file in lock["files"].items()
        if file["owner"] == "generated" and digest(PROJECT / path) != file["sha256"]
    ]
    assert changed == [], "edit the spec or a template, then regenerate"


def digest(path: Path) -> str:
    """Return the hash of a file with the line ends of Linux."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


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
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/mcp", "/messages/", "/sse"])
def test_strangers_are_refused(
    address: str, path: str, headers: dict[str, str], status: int, tmp_path: Path
) -> None:
    ours = {"Accept": "application/json, text/event-stream"}
    ours["Authorization"] = (
        f"Bearer {client['stand_ins'](tmp_path)['BLOG_SEARCH_TOKEN']}"
    )
    answer = httpx2.request(
        "GET" if path == "/sse" else "POST",
        f"{address}{path}",
        headers=ours | headers,
        json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
    )
    assert answer.status_code == status
