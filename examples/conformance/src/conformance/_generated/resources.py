# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Resources: a URI leads to static content, to a handler, or to nothing."""

import logging
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress

import mcp_types as types
from mcp.server.mcpserver import DEFAULT_RESOURCE_SECURITY
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from conformance._generated.calls import converted, masking, run, sendable
from conformance._generated.catalog import CATALOG, Request
from conformance._generated.changes import HIDDEN
from conformance._generated.client import Unanswered
from conformance._generated.contract import Context, ResourceResult
from conformance._generated.errors import ResourceNotFound, ToolError
from conformance._generated.handlers import RESOURCE_TEMPLATES, RESOURCES

logger = logging.getLogger(__name__)

TEMPLATES = [
    (UriTemplate.parse(template), row) for template, row in RESOURCE_TEMPLATES.items()
]
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
) -> types.ReadResourceResult | types.InputRequiredResult:
    """Answer with the static content of the URI, or with what its handler returns."""
    uri = params.uri
    if uri not in HIDDEN["resources"] and uri in CATALOG["contents"]:
        static = [CATALOG["contents"][uri]]
        return types.ReadResourceResult.model_validate({"contents": static})
    context = Context(shared=ctx.lifespan_context, request=ctx)
    try:
        with masking(uri), suppress(ResourceNotFound):
            if uri in HIDDEN["resources"]:
                raise ResourceNotFound
            if resource := RESOURCES.get(uri):
                value = await run(resource.handler, context)
                return sendable(to_contents(uri, resource.mime_type, value))
            for template, row in TEMPLATES:
                if (arguments := template.match(uri)) is not None:
                    if not row.unsafe:
                        refuse_paths_out(uri, arguments)
                    given = converted(arguments, row.arguments)
                    value = await run(row.handler, given, context)
                    return sendable(to_contents(uri, row.mime_type, value))
    except Unanswered:
        return context.input_required()
    except ToolError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    code = types.INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
    raise MCPError(code, "Resource not found", {"uri": uri})


def refuse_paths_out(uri: str, arguments: Mapping[str, str | list[str]]) -> None:
    """Raise ResourceNotFound if a variable could lead out of a folder: `../`, `/etc`."""
    if name := DEFAULT_RESOURCE_SECURITY.validate(arguments):
        logger.warning("%s refused: %s could lead out of a folder", uri, name)
        raise ResourceNotFound


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
