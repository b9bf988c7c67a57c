# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test the server against the spec, as it is started on each of its transports."""

import asyncio
import gc
import hashlib
import json
import re
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import packages_distributions
from io import FileIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import pytest

from blog_search._generated.client import (
    CHECKS,
    Check,
    Connection,
    connected,
    running,
    started,
)
from blog_search._generated.runtime.trial import trial

PROJECT = Path(__file__).parents[1]
ABOUT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
MODULE, _, FUNCTION = ABOUT["scripts"]["blog-search"].partition(":")
# The command that the project installs.
COMMAND = f"import {MODULE}; {MODULE}.{FUNCTION}()"
# Seconds that the server may take to start and to stop.
PATIENCE = 60
# Each transport, with a client of today and one from before 2026-07-28.
WAYS = [
    ("stdio", "auto"),
    ("stdio", "legacy"),
    ("/mcp", "auto"),
    ("/mcp", "legacy"),
    ("/sse", "auto"),
    ("/sse", "legacy"),
]


@asynccontextmanager
async def listening(environment: Mapping[str, str]) -> AsyncGenerator[tuple[str, Path]]:
    """Start the server over HTTP, yield its address and its log, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        host, port = free.getsockname()
    address = f"http://{host}:{port}"
    options = (
        f"--transport streamable-http --host {host} --port {port} --log-level warning"
    )
    with TemporaryDirectory() as folder, FileIO(f"{folder}/log", "w") as log:
        path = Path(folder, "log")
        server = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            COMMAND,
            *options.split(),
            env=environment,
            stdout=log,
            stderr=log,
        )
        latest = time.monotonic() + PATIENCE
        try:
            while not is_open(port):
                if server.returncode is not None or time.monotonic() > latest:
                    text = path.read_text("utf-8")
                    raise ConnectionError(f"the server did not start\n{text}")
                await asyncio.sleep(0.02)
            yield address, path
            server.terminate()
            code = await asyncio.wait_for(server.wait(), PATIENCE)
            assert code == 0, path.read_text("utf-8")
        finally:
            if server.returncode is None:
                server.kill()


def is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@asynccontextmanager
async def reached(
    way: str, era: str, environment: Mapping[str, str]
) -> AsyncGenerator[Connection]:
    """Start a server and connect to it."""
    if way == "stdio":
        async with started(era, environment) as server:
            yield server
        return
    async with listening(environment) as (address, log):
        transport = running(f"{address}{way}", environment)
        async with connected(transport, era, log) as server:
            yield server


async def story(way: str, era: str) -> list[Check]:
    """Make all checks of a new server."""
    try:
        with trial() as tried:
            async with reached(way, era, tried.variables) as server:
                server.tried = tried
                return [await server.check(number) for number in range(len(CHECKS))]
    except ConnectionError as error:
        return [("FAIL", str(error)), *[("skip", "there was no server")] * len(CHECKS)]


@pytest.fixture(scope="module", autouse=True)
def stories() -> Future[dict[str, list[Check]]]:
    """What is checked of servers that run at once, beside other tests."""

    async def all_at_once() -> dict[str, list[Check]]:
        checks = await asyncio.gather(*(story(*way) for way in WAYS))
        return dict(zip(map(" ".join, WAYS), checks, strict=True))

    gc.freeze()  # At its end, Python would look through all that is left.
    return ThreadPoolExecutor(1).submit(asyncio.run, all_at_once())


def test_the_generated_files_are_as_they_were_generated() -> None:
    lock = json.loads((PROJECT / ".scaffold/lock.json").read_bytes())
    files = {p: f for p, f in lock["files"].items() if f["owner"] == "generated"}
    for path, file in files.items():
        data = (PROJECT / path).read_bytes()
        if "exact" not in file:  # Git may have given it the line ends of Windows.
            data = data.replace(b"\r\n", b"\n")
        hint = f"{path}: edit the spec or a template, then regenerate"
        assert hashlib.sha256(data).hexdigest() == file["sha256"], hint


def test_the_project_declares_what_it_imports() -> None:
    def name(text: str) -> str:
        return re.split(r"[^\w-]", text.lower().replace("_", "-"))[0]

    extras: list[list[str]] = [*ABOUT.get("optional-dependencies", {}).values()]
    declared = {*map(name, [ABOUT["name"], *ABOUT["dependencies"], *chain(*extras)])}
    modules = PROJECT.glob("src/*/_generated/**/*.py")
    code = "\n".join(path.read_text("utf-8") for path in modules)
    imported = re.findall(r"(?m)^ *(?:from|import) (\w+)", code)
    for module, packages in packages_distributions().items():
        is_declared = module not in imported or declared & {*map(name, packages)}
        assert is_declared, f"add {module} to pyproject.toml"


def test_the_command_ends_with_its_input_and_prints_nothing() -> None:
    command = [sys.executable, "-c", COMMAND, "--transport", "stdio"]
    with trial() as tried:
        printed = subprocess.check_output(
            command, stdin=subprocess.DEVNULL, timeout=60, env=tried.variables
        )
    assert printed == b""


def test_strangers_are_refused() -> None:
    strangers: list[tuple[dict[str, str], int]] = [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ]

    async def check(environment: Mapping[str, str]) -> None:
        async with (
            listening(environment) as (address, _),
            httpx2.AsyncClient() as client,
        ):
            ours = {"Accept": "application/json, text/event-stream"}
            ours["Authorization"] = f"Bearer {environment['BLOG_SEARCH_TOKEN']}"
            for headers, status in strangers:
                answer = await client.post(
                    f"{address}/mcp",
                    headers=ours | headers,
                    json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
                )
                assert answer.status_code == status, headers
                answer = await client.post(
                    f"{address}/messages/",
                    headers=ours | headers,
                    json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
                )
                assert answer.status_code == status, headers
                answer = await client.get(f"{address}/sse", headers=ours | headers)
                assert answer.status_code == status, headers

    with trial() as tried:
        asyncio.run(check(tried.variables))


@pytest.mark.parametrize("number", range(len(CHECKS)), ids=[c["name"] for c in CHECKS])
def test_the_server_does_what_the_spec_says(
    number: int, stories: Future[dict[str, list[Check]]]
) -> None:
    ends = {way: checks[number] for way, checks in stories.result().items()}
    if failed := {way: text for way, (end, text) in ends.items() if end == "FAIL"}:
        report = f"{next(iter(failed.values()))}\n     over {', '.join(failed)}"
        pytest.fail(report, pytrace=False)
    for end, text in ends.values():
        if end != "ok":
            pytest.skip(f"to write: {text}" if end == "todo" else text)
