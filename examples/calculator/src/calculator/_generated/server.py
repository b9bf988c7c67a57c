# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from calculator.lifespan import Shared, lifespan
from calculator.resources.places import places
from calculator.tools.com_example_calculator_arithmetic import (
    com_example_calculator_arithmetic,
)
from calculator.tools.com_example_weather_current import com_example_weather_current

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.handlers import BaseContext, Calls
from .runtime.prompts import Prompts
from .runtime.resources import Resource, Resources
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("calculator._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "com.example.calculator/arithmetic": Tool[
        c.ComExampleCalculatorArithmeticArguments,
        c.ComExampleCalculatorArithmeticResult,
    ](
        c.ComExampleCalculatorArithmeticArguments,
        com_example_calculator_arithmetic,
        timeout=10,
    ),
    "com.example.weather/current": Tool[
        c.ComExampleWeatherCurrentArguments, c.ComExampleWeatherCurrentResult
    ](c.ComExampleWeatherCurrentArguments, com_example_weather_current),
}
RESOURCES = {"weather://places": Resource(places, mime_type="application/json")}


def create_server(call_time: float = 600, threads: int = 128) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    """
    calls = Calls(call_time, threads)
    tools = Tools(CATALOG["tools"], TOOLS, BaseContext, calls)
    resources = Resources({}, RESOURCES, {}, BaseContext, calls)
    prompts = Prompts(CATALOG["prompts"], CATALOG["messages"], {}, BaseContext, calls)
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        lifespan=lambda _: lifespan(),
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        get_tool_input_schema=lambda _: None,  # No argument is in a header too.
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_list_prompts=prompts.list,
        on_get_prompt=prompts.get,
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    server.middleware.append(CATALOG.verbatim)
    return server
