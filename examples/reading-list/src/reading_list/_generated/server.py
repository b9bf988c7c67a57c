# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from reading_list.lifespan import Shared, lifespan
from reading_list.tools.find_books import find_books
from reading_list.tools.plan_reading import plan_reading

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.handlers import BaseContext, Calls
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("reading_list._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "find_books": Tool[c.FindBooksArguments, c.FindBooksResult](
        c.FindBooksArguments, find_books
    ),
    "plan_reading": Tool[c.PlanReadingArguments, c.PlanReadingResult](
        c.PlanReadingArguments, plan_reading
    ),
}


def create_server(call_time: float = 600, threads: int = 128) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    """
    calls = Calls(call_time, threads)
    tools = Tools(CATALOG["tools"], TOOLS, BaseContext, calls)
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        lifespan=lambda _: lifespan(),
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    server.middleware.append(CATALOG.verbatim)
    return server
