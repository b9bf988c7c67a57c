# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from weather.lifespan import Shared, lifespan
from weather.tools.get_alerts import get_alerts
from weather.tools.get_forecast import get_forecast

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.handlers import BaseContext, Calls
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("weather._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_alerts": Tool[c.GetAlertsArguments, c.GetAlertsResult](
        c.GetAlertsArguments, get_alerts, timeout=30
    ),
    "get_forecast": Tool[c.GetForecastArguments, c.GetForecastResult](
        c.GetForecastArguments, get_forecast, timeout=30
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
        get_tool_input_schema=lambda _: None,  # No argument is in a header too.
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    server.middleware.append(CATALOG.verbatim)
    return server
