# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The protocol: what is listed, who answers, and which failure becomes what."""

import inspect
import json
import logging
import math
import secrets
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import Any, TypeVar

import anyio
import jsonschema_rs
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.mcpserver import DEFAULT_RESOURCE_SECURITY
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    Implementation,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from everything._generated.contract import Context, PromptResult, ResourceResult
from everything._generated.errors import ResourceNotFound, ToolError
from everything._generated.faults import Explainer
from everything._generated.handlers import PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOLS
from everything._generated.limits import Limits
from everything._generated.threads import NoThread, run_in_thread
from everything.lifespan import Shared, lifespan

logger = logging.getLogger(__name__)

LIMITS = Limits.from_environment()
CATALOG = json.loads(files(__package__).joinpath("catalog.json").read_bytes())
# What each list request answers with, exactly as the spec has it.
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
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
# Before 2026-07-28 a tool's output is an object, or its schema is left out.
LEGACY_TOOLS = [
    {
        key: value
        for key, value in tool.items()
        if key != "outputSchema" or value.get("type") == "object"
    }
    for tool in CATALOG["tools"]
]
BLOCKS = (TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource)

TEMPLATES = [
    (UriTemplate.parse(template), row) for template, row in RESOURCE_TEMPLATES.items()
]
# The code before 2026-07-28 (MCP 2025-11-25, server/resources, error handling).
RESOURCE_NOT_FOUND = -32002

PROMPT_ENTRIES = {prompt["name"]: prompt for prompt in CATALOG["prompts"]}

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
        on_list_resources=list_resources,
        on_list_resource_templates=list_resource_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    server.middleware.append(list_verbatim)
    return server


async def list_verbatim(ctx: Request, call_next: CallNext) -> HandlerResult:
    """Put the spec's own objects into lists: the SDK's types drop what they do not know."""
    result = await call_next(ctx)
    if isinstance(result, dict) and (key := LISTS.get(ctx.method)):
        result[key] = CATALOG[key]
        if key == "tools" and ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            result[key] = LEGACY_TOOLS
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
        with masking(params.name), anyio.move_on_after(timeout):
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


async def list_resources(
    ctx: Request, params: PaginatedRequestParams | None
) -> ListResourcesResult:
    one_page(params)
    return ListResourcesResult(resources=[])


async def list_resource_templates(
    ctx: Request, params: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    one_page(params)
    return ListResourceTemplatesResult(resource_templates=[])


async def read_resource(
    ctx: Request, params: ReadResourceRequestParams
) -> ReadResourceResult:
    """Answer with the static content of the URI, or with what its handler returns."""
    uri = params.uri
    if uri in CATALOG["contents"]:
        static = [CATALOG["contents"][uri]]
        return ReadResourceResult.model_validate({"contents": static})
    context = Context(ctx.lifespan_context, ctx)
    try:
        with masking(uri), suppress(ResourceNotFound):
            if resource := RESOURCES.get(uri):
                value = await run(resource.handler, context)
                return sendable(to_contents(uri, resource.mime_type, value))
            for template, row in TEMPLATES:
                if (arguments := template.match(uri)) is not None:
                    if not row.unsafe:
                        refuse_paths_out(uri, arguments)
                    value = await run(row.handler, arguments, context)
                    return sendable(to_contents(uri, row.mime_type, value))
    except ToolError as error:
        raise MCPError(INTERNAL_ERROR, str(error)) from None
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    code = INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
    raise MCPError(code, "Resource not found", {"uri": uri})


def refuse_paths_out(uri: str, arguments: Mapping[str, str | list[str]]) -> None:
    """Find nothing where a variable could lead out of a folder: `../`, `/etc`, NUL."""
    if name := DEFAULT_RESOURCE_SECURITY.validate(arguments):
        logger.warning("%s refused: %s could lead out of a folder", uri, name)
        raise ResourceNotFound


def to_contents(
    uri: str, mime_type: str | None, value: ResourceResult
) -> ReadResourceResult:
    """Text stays text, bytes go out in base64."""
    if isinstance(value, ReadResourceResult):
        return value
    if isinstance(value, str):
        text = TextResourceContents(uri=uri, mime_type=mime_type, text=value)
        return ReadResourceResult(contents=[text])
    blob = b64encode(value).decode()
    return ReadResourceResult(
        contents=[BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)]
    )


async def list_prompts(
    ctx: Request, params: PaginatedRequestParams | None
) -> ListPromptsResult:
    one_page(params)
    return ListPromptsResult(prompts=[])


async def get_prompt(ctx: Request, params: GetPromptRequestParams) -> GetPromptResult:
    """Fill in the static messages of the prompt, or ask its handler for them."""
    prompt = PROMPT_ENTRIES.get(params.name)
    if prompt is None:
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name:.128}")
    arguments = params.arguments or {}
    required = [a["name"] for a in prompt.get("arguments", []) if a.get("required")]
    if missing := [name for name in required if name not in arguments]:
        raise MCPError(INVALID_PARAMS, f"Missing arguments: {', '.join(missing)}")
    if params.name in CATALOG["messages"]:
        return fill_in(CATALOG["messages"][params.name], arguments)
    handler = PROMPTS[params.name].handler
    context = Context(ctx.lifespan_context, ctx)
    try:
        with masking(params.name):
            return sendable(to_messages(await run(handler, arguments, context)))
    except InternalError as error:
        raise MCPError(INTERNAL_ERROR, str(error)) from None
    except ToolError as error:
        raise MCPError(INVALID_PARAMS, str(error)) from None


def to_messages(value: PromptResult) -> GetPromptResult:
    """Text becomes one message of the user."""
    if isinstance(value, GetPromptResult):
        return value
    if isinstance(value, str):
        content = TextContent(text=value)
        return GetPromptResult(messages=[PromptMessage(role="user", content=content)])
    return GetPromptResult(messages=list(value))


def fill_in(
    messages: list[dict[str, Any]], arguments: dict[str, str]
) -> GetPromptResult:
    """Put the arguments into the text of the messages; one not given is empty."""
    values = defaultdict(str, arguments)
    result = GetPromptResult.model_validate({"messages": messages})
    for message in result.messages:
        if isinstance(message.content, TextContent):
            message.content.text = message.content.text.format_map(values)
    return result


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


class InternalError(ToolError):
    """A failure that no other arguments would mend."""


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
        raise InternalError("The server is busy, try again later") from None
    except NotImplementedError:
        raise InternalError(f"{name} is not implemented yet") from None
    except BaseException as error:
        if is_cancellation(error):
            raise
        reference = secrets.token_hex(4)
        logger.exception("%s failed, reference %s", name, reference)
        raise InternalError(f"Internal error, reference {reference}") from None


def is_cancellation(error: BaseException) -> bool:
    """Whether the call is being cancelled, unlike a task that its handler waited for."""
    is_over = anyio.current_effective_deadline() == -math.inf
    return is_over and isinstance(error, anyio.get_cancelled_exc_class())
