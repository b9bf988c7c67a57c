"""Servers of the runtime without a project: handlers and schemas into what a client can call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, cast

from mcp.server import Server

from templates.python.runtime.handlers import BaseContext, Calls, Model
from templates.python.runtime.tools import Tool, Tools

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
