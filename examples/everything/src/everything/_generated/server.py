# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp_types import Implementation

from everything.lifespan import Shared, lifespan
from everything.prompts.review_contrast import review_contrast
from everything.resources.chart import chart
from everything.resources.colour import colour
from everything.resources.colours import colours
from everything.resources.swatch import swatch
from everything.tools.colour_describe import colour_describe
from everything.tools.find_colours import find_colours
from everything.tools.kotlin_sdk_tool import kotlin_sdk_tool
from everything.tools.make_colour_card import make_colour_card
from everything.tools.make_gradient import make_gradient
from everything.tools.name_colour import name_colour
from everything.tools.play_colour import play_colour
from everything.tools.show_colour import show_colour
from everything.tools.suggest_colour import suggest_colour
from everything.tools.wait import wait

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.choices import ChoiceSchema
from .runtime.handlers import Calls
from .runtime.logs import attach as attach_logs
from .runtime.prompts import Prompt, Prompts
from .runtime.questions import ask_first
from .runtime.resources import Resource, Resources, ResourceTemplate
from .runtime.telemetry import attach as attach_telemetry
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("everything._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "kotlin-sdk-tool": Tool[c.KotlinSdkToolArguments, c.KotlinSdkToolResult](
        c.KotlinSdkToolArguments, kotlin_sdk_tool
    ),
    "colour.describe": Tool[c.ColourDescribeArguments, c.ColourDescribeResult](
        c.ColourDescribeArguments, colour_describe
    ),
    "find_colours": Tool[c.FindColoursArguments, c.FindColoursResult](
        c.FindColoursArguments, find_colours
    ),
    "make_gradient": Tool[c.MakeGradientArguments, c.MakeGradientResult](
        c.MakeGradientArguments, make_gradient
    ),
    "show_colour": Tool[c.ShowColourArguments, c.ShowColourResult](
        c.ShowColourArguments, show_colour
    ),
    "play_colour": Tool[c.PlayColourArguments, c.PlayColourResult](
        c.PlayColourArguments, play_colour
    ),
    "make_colour_card": Tool[c.MakeColourCardArguments, c.MakeColourCardResult](
        c.MakeColourCardArguments, make_colour_card
    ),
    "name_colour": Tool[c.NameColourArguments, c.NameColourResult](
        c.NameColourArguments, name_colour
    ),
    "wait": Tool[c.WaitArguments, c.WaitResult](c.WaitArguments, wait, timeout=2),
    "suggest_colour": Tool[c.SuggestColourArguments, c.SuggestColourResult](
        c.SuggestColourArguments, suggest_colour
    ),
}
RESOURCES = {
    "palette://colours": Resource(colours, mime_type="application/json"),
    "palette://chart": Resource(chart, mime_type="image/png"),
}
RESOURCE_TEMPLATES: dict[str, ResourceTemplate[Any]] = {
    "colour://{name}": ResourceTemplate[c.ColourArguments](
        c.ColourArguments, colour, mime_type="image/svg+xml"
    ),
    "swatch://{name}{?size}": ResourceTemplate[c.SwatchArguments](
        c.SwatchArguments, swatch, mime_type="image/png"
    ),
}
PROMPTS: dict[str, Prompt[Any]] = {
    "review-contrast": Prompt[c.ReviewContrastArguments](
        c.ReviewContrastArguments, review_contrast
    )
}


def create_server(call_time: float = 600, threads: int = 128) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    """
    calls = Calls(call_time, threads)
    tools = Tools(CATALOG["tools"], TOOLS, c.Context, calls, schema=ChoiceSchema)
    resources = Resources(
        CATALOG["contents"], RESOURCES, RESOURCE_TEMPLATES, c.Context, calls
    )
    prompts = Prompts(
        CATALOG["prompts"], CATALOG["messages"], PROMPTS, c.Context, calls
    )
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
    attach_telemetry(server, CATALOG)  # In place of the SDK's own spans.
    # What clients carry from one round of questions to the next is sealed.
    sealed = RequestStateSecurity.ephemeral()
    server.middleware.append(RequestStateBoundary(sealed, default_audience=info.name))
    server.middleware.append(CATALOG.verbatim)
    attach_logs(server)
    server.middleware.append(ask_first)
    return server
