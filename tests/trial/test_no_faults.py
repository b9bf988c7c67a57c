"""Entries as they are installed, for a server that has nothing wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scaffold.clients.client import read_client, read_clients
from scaffold.clients.entry import entry
from scaffold.clients.server import Program, Server
from scaffold.format.check import load
from scaffold.project import chosen
from scaffold.project.clients import served
from scaffold.trial.findings import Trial
from scaffold.yaml.source import read
from tests.generated import Generated, WebServer, WebServers, generate
from tests.trial.entries import tried

TOKEN = "a-long-enough-token"

SPEC = {
    "name": "blog",
    "version": "1.0.0",
    "transports": ["stdio", "streamable-http", "sse"],
    "auth": {"bearer": {"env": "BLOG_TOKEN"}},
    "env": [
        {"name": "BLOG_FOLDER", "description": "Where the posts are.", "required": True},
        {"name": "BLOG_REGION", "description": "Of the posts.", "required": False},
        {"name": "BLOG_SIZE", "description": "Of a page.", "default": "10"},
        {"name": "BLOG_TOKEN", "description": "Token.", "secret": True, "required": False},
    ],
    "tools": [
        {
            "name": name,
            "description": "Find posts.",
            "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        }
        for name in ("search", "read")
    ],
}

SHELL = {**os.environ, "BLOG_TOKEN": TOKEN, "BLOG_FOLDER": "/posts"}

STDIO = [client for client in read_clients() if client.root and "stdio" in client.entry]
WEB = [
    pytest.param(client, transport, id=f"{client.id}-{transport}")
    for client in read_clients()
    for transport in ("streamable-http", "sse")
    if client.root and transport in client.entry
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("trial") / "blog"
    return generate(SPEC, folder, env={"BLOG_TOKEN": TOKEN, "BLOG_FOLDER": "/posts"})


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """The same over stdio alone, and without the SDK: it starts in a tenth of the time."""
    spec = {key: value for key, value in SPEC.items() if key not in ("transports", "auth")}
    return generate(spec, tmp_path_factory.mktemp("plain") / "blog", pack="python-stdlib")


@pytest.fixture(scope="module")
def server(project: Generated) -> Server:
    rules = chosen.rule()
    return served(load(read(project.folder / "mcp.yaml"), rules).spec, str(SPEC["name"]))


@pytest.fixture(scope="module")
def web(
    project: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    with WebServers(project, tmp_path_factory) as servers:
        yield servers


def trial(client: Any, fields: Any, server: Server, folder: Path = Path("/nowhere")) -> Trial:
    if client.desktop:
        client = replace(client, desktop=False)  # its variables are set for the whole session
    return tried(client, fields, server, ["search", "read"], SHELL, folder)


@pytest.mark.parametrize("client", STDIO, ids=lambda client: client.id)
def test_an_entry_that_starts_the_server_has_no_fault(
    client: Any, plain: Generated, server: Server
) -> None:
    source = f"PYTHONPATH={plain.folder / 'src'}"
    command = ("/usr/bin/env", source, sys.executable, "-m", plain.package)
    values = {"BLOG_TOKEN": TOKEN, "BLOG_FOLDER": "/posts"}
    fields = entry(server, client, "stdio", Program(command, str(plain.folder)), values).fields
    result = trial(client, fields, server, plain.folder)
    assert result.findings == ()
    assert (result.transport, result.tools, result.works) == ("stdio", 2, True)
    assert result.seconds


def test_a_server_that_starts_after_the_client_has_asked_again_has_no_fault(
    project: Generated, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 0.2)
    start = f"import runpy, time; time.sleep(1); runpy.run_module({project.package!r})"
    fields = {
        "command": sys.executable,
        "args": ["-c", f"{start}.get('main')()"],
        "env": {"PYTHONPATH": str(project.folder / "src")},
    }
    result = trial(read_client("claude-code"), fields, server)
    assert (result.findings, result.tools) == ((), 2)


@pytest.mark.parametrize(("client", "transport"), WEB)
def test_an_entry_with_the_address_of_the_server_has_no_fault(
    client: Any, transport: str, server: Server, web: Callable[[str], WebServer]
) -> None:
    running = replace(server, port=web(transport).port)
    program = Program(("uv",), "/")
    fields = entry(running, client, transport, program, {"BLOG_TOKEN": TOKEN}).fields
    result = trial(client, fields, running)
    assert result.findings == ()
    assert (result.transport, result.tools) == (transport, 2)
    assert TOKEN not in repr(result)


@pytest.mark.parametrize(
    ("path", "token", "id", "message"),
    [
        ("/mcp", "wrong", "client-token", "it answered 401: it does not accept the token"),
        ("/mcp", "", "client-token", "it answered 401: it wants a token, and the entry sends none"),
        ("/", TOKEN, "client-address", "where no server speaks streamable HTTP"),
        ("/mcp/tools", TOKEN, "client-address", "where no server speaks streamable HTTP"),
    ],
)
def test_a_wrong_token_and_a_wrong_path_are_reported(
    server: Server, web: Callable[[str], WebServer], path: str, token: str, id: str, message: str
) -> None:
    fields: dict[str, object] = {"type": "http", "url": web("streamable-http").url(path)}
    if token:
        fields["headers"] = {"Authorization": f"Bearer {token}"}
    (finding,) = tried("claude-code", fields, server, ["search", "read"], SHELL).findings
    assert finding.id == id
    assert message in finding.message
    assert id != "client-address" or "/mcp (streamable-http)" in str(finding.hint)
    assert token or "clients install --client claude-code" in str(finding.hint)
