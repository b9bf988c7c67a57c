# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Resources: a URI leads to static content, to a handler, or to nothing."""

from base64 import b64encode
from contextlib import suppress

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from calculator._generated.calls import masking, run, sendable
from calculator._generated.catalog import Request
from calculator._generated.contract import Context, ResourceResult
from calculator._generated.errors import ResourceNotFound, ToolError
from calculator._generated.handlers import RESOURCES

# The code before 2026-07-28 (MCP 2025-11-25, server/resources, error handling).
RESOURCE_NOT_FOUND = -32002


async def list_resources(ctx: Request, params: object) -> types.ListResourcesResult:
    """Answer with an empty list, which `list_verbatim` fills."""
    return types.ListResourcesResult(resources=[])


async def list_templates(
    ctx: Request, params: object
) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=[])


async def read_resource(
    ctx: Request, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    """Answer with the static content of the URI, or with what its handler returns."""
    uri = params.uri
    context = Context(shared=ctx.lifespan_context, request=ctx)
    try:
        with masking(uri), suppress(ResourceNotFound):
            if resource := RESOURCES.get(uri):
                value = await run(resource.handler, context)
                return sendable(to_contents(uri, resource.mime_type, value))
    except ToolError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    code = types.INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
    raise MCPError(code, "Resource not found", {"uri": uri})


def to_contents(
    uri: str, mime_type: str | None, value: ResourceResult
) -> types.ReadResourceResult:
    """Return what a handler returned as a result: text, or bytes in base64."""
    if isinstance(value, types.ReadResourceResult):
        return value
    if isinstance(value, str):
        text = types.TextResourceContents(uri=uri, mime_type=mime_type, text=value)
        return types.ReadResourceResult(contents=[text])
    blob = b64encode(value).decode()
    return types.ReadResourceResult(
        contents=[types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)]
    )
