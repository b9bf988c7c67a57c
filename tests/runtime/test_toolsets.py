"""Toolsets: what a server offers by the choice of its operator and by the headers of a request."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp_types import INVALID_PARAMS

from templates.python.runtime.catalog import Catalog
from templates.python.runtime.changes import Changes
from templates.python.runtime.command import read_options
from templates.python.runtime.http import Http
from templates.python.runtime.toolsets import Choice, Toolsets, add_choice
from tests.runtime.serving import options, reached, tools_of
from tests.runtime.test_tools import ERAS

pytestmark = pytest.mark.anyio

READS = {"annotations": {"readOnlyHint": True}}
TOOLS: Mapping[str, Mapping[str, Any]] = {
    "search": READS,
    "read": READS,
    "lend": {"annotations": {"readOnlyHint": False}},
    "remove": {},
    "about": READS,
}
TOOLSETS = {
    "catalog": {"tools": ["search", "read"], "default": True},
    "loans": {"tools": ["read", "lend"]},
    "keeping": {"tools": ["remove"], "default": False},
}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    file = tmp_path / "catalog.json"
    tools = [{"name": n, "inputSchema": {"type": "object"}, **more} for n, more in TOOLS.items()]
    file.write_text(json.dumps({"tools": tools, "toolsets": TOOLSETS}), encoding="utf-8")
    return Catalog(file)


async def said(arguments: Any, context: object) -> str:
    return "done"


def server_of(catalog: Catalog, choice: Choice, changes: Changes | None = None) -> Server[Any]:
    """Return a server as `server.py` of a project makes it."""
    tools = tools_of(said)
    tools.tools = dict.fromkeys(TOOLS, tools.tools["said"])
    tools.inputs = dict.fromkeys(TOOLS, tools.inputs["said"])
    server = Server[Any](
        "library",
        version="1",
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        cache_hints={"tools/list": CacheHint(ttl_ms=1000, scope="public")},
    )
    if changes:
        changes.attach(server)
    server.middleware.append(Toolsets(catalog, choice).narrow)
    server.middleware.append(catalog.verbatim)
    return server


CHOICES = [
    (Choice(), "search read about"),
    (Choice(("all",)), "search read lend remove about"),
    (Choice(("loans",)), "read lend about"),
    (Choice(("default", "keeping")), "search read remove about"),
    (Choice(tools=("lend",)), "lend"),
    (Choice(("catalog",), ("lend",)), "search read lend about"),
    (Choice(("all",), read_only=True), "search read about"),
    (Choice(("loans",), ("remove",), read_only=True), "read about"),
]


async def offered(client: Client) -> str:
    """Return the tools that a server lists, after a call of each and of all others."""
    listed = [tool.name for tool in (await client.list_tools()).tools]
    for name in TOOLS:
        if name in listed:
            assert not (await client.call_tool(name, {})).is_error
        else:
            with pytest.raises(MCPError, match=f"^Unknown tool: {name}$") as raised:
                await client.call_tool(name, {})
            assert raised.value.code == INVALID_PARAMS
    return " ".join(listed)


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(("choice", "expected"), CHOICES, ids=str)
async def test_an_excluded_tool_does_not_exist(
    choice: Choice, expected: str, mode: str, catalog: Catalog
) -> None:
    async with Client(server_of(catalog, choice), mode=mode, cache=None) as client:
        assert await offered(client) == expected


@asynccontextmanager
async def asking(server: Server[Any], mode: str, **headers: str) -> AsyncGenerator[Client]:
    """Yield a client over HTTP that sends headers with each request."""

    async with reached(Http(lambda _: server).app(options())) as http:
        http.headers.update({f"X-MCP-{name}": text for name, text in headers.items()})
        transport = streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)
        async with Client(transport, mode=mode, cache=None) as client:
            yield client


HEADERS: list[tuple[dict[str, str], str]] = [
    ({}, "search read lend about"),
    ({"Toolsets": "", "Tools": " , ", "Readonly": ""}, "search read lend about"),
    ({"Toolsets": "all"}, "search read lend about"),
    ({"Toolsets": "keeping"}, "about"),
    ({"Tools": " lend ,remove"}, "lend"),
    ({"Readonly": "true"}, "search read about"),
    ({"Readonly": "what?"}, "search read about"),
    ({"Readonly": "False"}, "search read lend about"),
    ({"Tools": "lend,read", "Readonly": "1"}, "read"),
]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(("headers", "expected"), HEADERS, ids=str)
async def test_the_headers_of_a_request_can_only_exclude_tools(
    headers: dict[str, str], expected: str, mode: str, catalog: Catalog
) -> None:
    server = server_of(catalog, Choice(("catalog", "loans")))
    async with asking(server, mode, **headers) as client:
        assert await offered(client) == expected
        if mode == "auto":
            scope = (await client.list_tools()).cache_scope
            assert scope == ("public" if expected == "search read lend about" else "private")


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("headers", [{"Toolsets": "loans,loan"}, {"Tools": "lent"}], ids=str)
async def test_a_header_with_an_unknown_name_is_refused(
    headers: dict[str, str], mode: str, catalog: Catalog
) -> None:
    async with asking(server_of(catalog, Choice()), mode, **headers) as client:
        for asked in (client.list_tools(), client.call_tool("search", {})):
            with pytest.raises(MCPError, match=r"^Unknown tool(set)?: (loan|lent)") as raised:
                await asked
            assert raised.value.code == INVALID_PARAMS


async def test_an_excluded_tool_stays_hidden_when_it_is_shown(catalog: Catalog) -> None:
    changes = Changes({"tools": tuple(TOOLS)})
    server = server_of(catalog, Choice(), changes)
    async with Client(server, mode="auto", cache=None) as client:
        await changes.hide("tools", "search")
        await changes.show("tools", "lend")
        assert await offered(client) == "read about"


OPTIONS: list[tuple[list[str], dict[str, str], Choice]] = [
    ([], {}, Choice()),
    (["--toolsets", "loans, keeping", "--tools=read"], {}, Choice(("loans", "keeping"), ("read",))),
    (["--read-only"], {}, Choice(read_only=True)),
    (["--read-only=no"], {"READ_ONLY": "1"}, Choice()),
    (["--toolsets", "all"], {"TOOLSETS": "loans", "TOOLS": "read,"}, Choice(("all",), ("read",))),
    ([], {"READ_ONLY": "indeed"}, Choice(read_only=True)),
    ([], {"READ_ONLY": "off"}, Choice()),
]


@pytest.mark.parametrize(("arguments", "env", "expected"), OPTIONS, ids=str)
def test_options_and_variables_choose_tools(
    arguments: list[str], env: dict[str, str], expected: Choice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["library", *arguments])
    for name, text in env.items():
        monkeypatch.setenv(f"LIBRARY_{name}", text)
    given = read_options("library", "1", ["stdio"], [add_choice])
    assert Choice(given.toolsets, given.tools, given.read_only) == expected
