"""Servers of the runtime without a project: handlers and schemas into what a client can call."""

from __future__ import annotations

import argparse
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import httpx2
from mcp.server import Server
from starlette.routing import Router

from templates.python.runtime.handlers import BaseContext, Calls, Model
from templates.python.runtime.tools import Tool, Tools
from tests.raw_client import MODERN

OPEN: Mapping[str, Any] = {"type": "object"}


def tools_of(
    *handlers: Callable[..., Any],
    schemas: Mapping[str, Any] | None = None,
    results: Mapping[str, Any] | None = None,
    context: Callable[..., BaseContext[Any]] = BaseContext,
    timeout: float | None = None,
    calls: Calls | None = None,
    **more: Any,
) -> Tools:
    """Return tools that are called as their handlers are; `schemas` and `results` are by name."""
    names = [handler.__name__ for handler in handlers]
    entries: list[dict[str, Any]] = [
        {"name": name, "inputSchema": (schemas or {}).get(name, OPEN)} for name in names
    ]
    for entry in entries:
        if entry["name"] in (results or {}):
            entry["outputSchema"] = (results or {})[entry["name"]]
    rows = {
        name: Tool(Model, handler, timeout) for name, handler in zip(names, handlers, strict=True)
    }
    return Tools(entries, rows, context, calls or Calls(), **more)


def server_of(*handlers: Callable[..., Any], **more: Any) -> Server[Any]:
    """Return a server with these tools, for a client in memory."""
    tools = tools_of(*handlers, **more)
    return Server("served", version="1", on_list_tools=tools.list, on_call_tool=tools.call)


def context_of(**more: Any) -> BaseContext[Any]:
    """Return a context that no client stands behind."""
    return BaseContext(cast("Any", SimpleNamespace(lifespan_context=None, **more)))


def options(**given: Any) -> argparse.Namespace:
    """Return what a server over HTTP is started with."""
    defaults = {
        "host": "127.0.0.1",
        "port": 8000,
        "allowed_hosts": "",
        "allowed_origins": "",
        "allow_unauthenticated": False,
        "stateless": False,
        "message_size": 10_000,
    }
    return argparse.Namespace(**defaults | given)


@asynccontextmanager
async def reached(app: Router) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of an app in memory, at the address of this machine."""
    transport = httpx2.ASGITransport(app)
    async with (
        app.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


async def asked(
    client: httpx2.AsyncClient,
    token: str,
    method: str,
    name: str,
    params: Mapping[str, Any],
    capabilities: Mapping[str, Any],
) -> httpx2.Response:
    """Send a request of 2026-07-28; `name` is for its header."""
    envelope = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "a", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    about = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {token}",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": method,
        "Mcp-Name": name,
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method}
    body = {**message, "params": {**params, "_meta": envelope}}
    return await client.post("/mcp", headers=about, json=body)
