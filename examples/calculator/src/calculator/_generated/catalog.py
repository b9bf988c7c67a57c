# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The catalog: the objects of the spec, which clients get unchanged."""

import json
from importlib.resources import files

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from calculator.lifespan import Shared

CATALOG = json.loads(
    files("calculator._generated").joinpath("catalog.json").read_bytes()
)
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}

Request = ServerRequestContext[Shared]


async def list_verbatim(ctx: Request, call_next: CallNext) -> HandlerResult:
    """Answer lists with the spec's own objects: the SDK's types drop unknown keys."""
    result = await call_next(ctx)
    if isinstance(result, dict) and (key := LISTS.get(ctx.method)):
        if (ctx.params or {}).get("cursor") is not None:
            raise MCPError(INVALID_PARAMS, "Unknown cursor: every list is one page")
        result[key] = CATALOG[key]
    return result
