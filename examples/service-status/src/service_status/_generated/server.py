# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The protocol: what is listed, who answers, and which failure becomes what."""

import inspect
import json
import logging
import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, TypeVar

import anyio
import jsonschema_rs
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    AudioContent,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    Implementation,
    ListToolsResult,
    PaginatedRequestParams,
    ResourceLink,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from service_status._generated.contract import Context
from service_status._generated.errors import ToolError
from service_status._generated.faults import Explainer
from service_status._generated.handlers import TOOLS
from service_status._generated.limits import Limits
from service_status._generated.observability import observed
from service_status._generated.threads import NoThread, run_in_thread
from service_status.lifespan import Shared, lifespan

logger = logging.getLogger(__name__)

LIMITS = Limits.from_environment()
CATALOG = json.loads(files(__package__).joinpath("catalog.json").read_bytes())
# What each list request answers with, exactly as the spec has it.
LISTS = {
    "tools/list": "tools",
}

INPUT_SCHEMAS = {tool["name"]: tool["inputSchema"] for tool in CATALOG["tools"]}
INPUTS = {
    name: jsonschema_rs.validator_for(schema, offline=True)
    for name, schema in INPUT_SCHEMAS.items()
}
EXPLAINERS = {name: Explainer(schema) for name, schema in INPUT_SCHEMAS.items()}
OUTPUT_SCHEMAS = {
    tool["name"]: tool["outputSchema"]
    for tool in CATALOG["tools"]
    if "outputSchema" in tool
}
OUTPUTS = {
    name: jsonschema_rs.validator_for(schema, offline=True)
    for name, schema in OUTPUT_SCHEMAS.items()
}
BLOCKS = (TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource)

AnyModel = TypeVar("AnyModel", bound=BaseModel)

Request = ServerRequestContext[Shared]


def create_server() -> Server[Shared]:
    """The server, ready for a transport to run."""
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        info.name,
        version=info.version,
        title=info.title,
        description=info.description,
        website_url=info.website_url,
        icons=info.icons,
        instructions=CATALOG.get("instructions"),
        lifespan=lambda _: lifespan(),
        get_tool_input_schema=INPUT_SCHEMAS.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(list_verbatim)
    return server


async def list_verbatim(ctx: Request, call_next: CallNext) -> HandlerResult:
    """Put the spec's own objects into lists: the SDK's types drop what they do not know."""
    result = await call_next(ctx)
    if isinstance(result, dict) and (key := LISTS.get(ctx.method)):
        result[key] = CATALOG[key]
    return result


def one_page(params: PaginatedRequestParams | None) -> None:
    if params and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "Unknown cursor: every list is one page")


async def list_tools(
    ctx: Request, params: PaginatedRequestParams | None
) -> ListToolsResult:
    one_page(params)
    return ListToolsResult(tools=[])


async def call_tool(ctx: Request, params: CallToolRequestParams) -> CallToolResult:
    """Check the arguments, run the handler, and make a result of whatever happens.

    A tool that does not exist is a protocol error; all that a model could mend is a
    result with `isError` (MCP server/tools, error handling).
    """
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name:.128}")
    arguments = params.arguments or {}
    if not INPUTS[params.name].is_valid(arguments):
        faults = EXPLAINERS[params.name].explain(arguments)
        return failure("\n- ".join(["Invalid arguments:", *faults]))
    arguments = whole({**tool.defaults, **arguments})
    context = Context(ctx.lifespan_context, ctx)
    timeout = tool.timeout or LIMITS.call_time
    try:
        with masking(params.name), anyio.move_on_after(timeout), observed(params.name):
            value = await run(tool.handler, arguments, context)
            return sendable(to_result(ctx, params.name, value))
    except ToolError as error:
        return failure(str(error))
    return failure(f"{params.name} took longer than {timeout:g} seconds")


def to_result(ctx: Request, name: str, value: Any) -> CallToolResult:
    """Text stays text, content blocks stay blocks, any other value goes out as JSON."""
    if isinstance(value, CallToolResult):
        if name in OUTPUTS and not value.is_error:
            check_result(name, value.structured_content)
        return value
    if name in OUTPUTS:
        check_result(name, value)
    elif (content := content_of(value)) is not None:
        return CallToolResult(content=content)
    text = TextContent(text=json.dumps(value, ensure_ascii=False, allow_nan=False))
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    if not (modern or isinstance(value, dict)):
        return CallToolResult(content=[text])  # Only objects were structured content.
    return CallToolResult(content=[text], structured_content=value)


def check_result(name: str, value: Any) -> None:
    """Fail over a result that its `outputSchema` does not allow; the log says why."""
    if not OUTPUTS[name].is_valid(value):
        faults = "; ".join(Explainer(OUTPUT_SCHEMAS[name]).explain(value))
        raise ValueError(f"the result does not fit outputSchema: {faults}")


def content_of(value: Any) -> list[ContentBlock] | None:
    """The content blocks of a value that is text or made of blocks, else None."""
    if value is None:
        return []
    if isinstance(value, str):
        return [TextContent(text=value)]
    blocks = list(value) if isinstance(value, list | tuple) else [value]
    return blocks if all(isinstance(block, BLOCKS) for block in blocks) else None


def whole(value: Any) -> Any:
    """A copy in which 5.0 is the integer that it is to JSON Schema."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value


def failure(text: str) -> CallToolResult:
    text = text.encode(errors="backslashreplace").decode()
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


async def run(handler: Callable[..., Any], *arguments: Any) -> Any:
    """Await an `async def` handler; give a plain one a thread, so that it blocks no other."""
    try:
        if inspect.iscoroutinefunction(handler):
            return await handler(*arguments)
        return await run_in_thread(handler, *arguments)
    except MCPError as error:
        sendable(error.error)
        raise


def sendable(answer: AnyModel) -> AnyModel:
    """Fail here over what JSON cannot hold, not in the transport, for every client."""
    answer.model_dump_json()
    return answer


@contextmanager
def masking(name: str) -> Iterator[None]:
    """Log a failure; of an unforeseen one, only a reference may reach the client."""
    try:
        yield
    except MCPError:
        raise
    except ToolError as error:
        logger.info("%s: %s", name, error, exc_info=error.__cause__)
        raise
    except NoThread as error:
        logger.warning("%s: %s", name, error)
        raise ToolError("The server is busy, try again later") from None
    except NotImplementedError:
        raise ToolError(f"{name} is not implemented yet") from None
    except BaseException as error:
        if is_cancellation(error):
            raise
        reference = secrets.token_hex(4)
        logger.exception("%s failed, reference %s", name, reference)
        raise ToolError(f"Internal error, reference {reference}") from None


def is_cancellation(error: BaseException) -> bool:
    """Whether the call is being cancelled, unlike a task that its handler waited for."""
    is_over = anyio.current_effective_deadline() == -math.inf
    return is_over and isinstance(error, anyio.get_cancelled_exc_class())
