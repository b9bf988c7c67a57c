# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from service_status.lifespan import Shared, lifespan
from service_status.tools.get_status import get_status

from . import contract as c
from .observability import ObservedCalls
from .runtime.catalog import Catalog
from .runtime.handlers import BaseContext
from .runtime.tools import Tool, Tools

CATALOG = Catalog(
    importlib.resources.files("service_status._generated") / "catalog.json"
)
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_status": Tool[c.GetStatusArguments, c.GetStatusResult](
        c.GetStatusArguments, get_status
    )
}


def create_server(call_time: float = 600, threads: int = 128) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    """
    calls = ObservedCalls(call_time, threads)
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
