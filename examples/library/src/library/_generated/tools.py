# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Calls of tools: arguments are validated, and whatever happens becomes a result."""

import json
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from library._generated.calls import Value, converted, masking, run, sendable, whole
from library._generated.catalog import CATALOG, Request
from library._generated.contract import Context
from library._generated.errors import ToolError
from library._generated.faults import Explainer, validator
from library._generated.handlers import TOOLS
from library._generated.limits import Limits
from library._generated.models import Model

LIMITS = Limits.from_environment()
INPUT_SCHEMAS = {tool["name"]: tool["inputSchema"] for tool in CATALOG["tools"]}
INPUTS = {name: validator(schema) for name, schema in INPUT_SCHEMAS.items()}
EXPLAINERS = {name: Explainer(schema) for name, schema in INPUT_SCHEMAS.items()}
OUTPUT_SCHEMAS = {
    tool["name"]: tool["outputSchema"]
    for tool in CATALOG["tools"]
    if "outputSchema" in tool
}
OUTPUTS = {name: validator(schema) for name, schema in OUTPUT_SCHEMAS.items()}


async def list_tools(ctx: Request, params: object) -> types.ListToolsResult:
    """Answer with an empty list, which `list_verbatim` fills."""
    return types.ListToolsResult(tools=[])


async def call_tool(
    ctx: Request, params: types.CallToolRequestParams
) -> types.CallToolResult:
    """Check the arguments, run the handler, and make a result of whatever happens.

    A tool that does not exist is a protocol error; what a model could fix is a result
    with `isError` (MCP server/tools, error handling).
    """
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name:.128}")
    arguments = params.arguments or {}
    if not INPUTS[params.name].is_valid(arguments):
        faults = EXPLAINERS[params.name].explain(arguments)
        return failure("\n- ".join(["Invalid arguments:", *faults]))
    context = Context(shared=ctx.lifespan_context, request=ctx)
    timeout = tool.timeout or LIMITS.call_time
    try:
        with masking(params.name), anyio.move_on_after(timeout):
            given = converted(whole(arguments), tool.arguments)
            value = await run(tool.handler, given, context)
            return sendable(to_result(ctx, params.name, value))
    except ToolError as error:
        return failure(str(error))
    return failure(f"{params.name} took longer than {timeout:g} seconds")


def to_result(ctx: Request, name: str, value: Any) -> types.CallToolResult:
    """Return what a handler returned as a result: text, content blocks, else JSON."""
    if isinstance(value, types.CallToolResult):
        data = plain(value.structured_content)
        if name in OUTPUTS and not value.is_error:
            check_result(name, data)
        if data == value.structured_content:
            return value
        return value.model_copy(update={"structured_content": data})
    if name not in OUTPUTS and (content := content_of(value)) is not None:
        return types.CallToolResult(content=content)
    value = plain(value)
    if name in OUTPUTS:
        check_result(name, value)
    text = types.TextContent(
        text=json.dumps(value, ensure_ascii=False, allow_nan=False)
    )
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    if not (modern or isinstance(value, dict)):
        # Only objects were structured content.
        return types.CallToolResult(content=[text])
    return types.CallToolResult(content=[text], structured_content=value)


def check_result(name: str, value: Any) -> None:
    """Raise ValueError, for the log, if a result does not fit its `outputSchema`."""
    if not OUTPUTS[name].is_valid(value):
        faults = "; ".join(Explainer(OUTPUT_SCHEMAS[name]).explain(value))
        raise ValueError(f"the result does not fit outputSchema: {faults}")


def content_of(value: Value) -> list[types.ContentBlock] | None:
    """Return the content blocks of a value that is text or blocks, else None."""
    if value is None:
        return []
    if isinstance(value, str):
        return [types.TextContent(text=value)]
    blocks: list[types.ContentBlock] = []
    for item in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(item, types.ContentBlock):
            return None
        blocks.append(item)
    return blocks


def plain(value: Value) -> Any:
    """Return a copy with models as JSON objects; ours have only what was set."""
    if isinstance(value, BaseModel):
        is_ours = isinstance(value, Model)
        return value.model_dump(mode="json", by_alias=True, exclude_unset=is_ours)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def failure(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
