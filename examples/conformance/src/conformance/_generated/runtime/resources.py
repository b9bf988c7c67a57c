"""Resources with handlers."""

import logging
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import mcp_types as types
from mcp.server.mcpserver import DEFAULT_RESOURCE_SECURITY
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

from .handlers import BaseContext, Calls, Model, Request, ToolError, masked, sendable
from .static_resources import StaticResources, not_found

logger = logging.getLogger(__name__)

Arguments = TypeVar("Arguments", bound=Model)
ResourceResult: TypeAlias = str | bytes | types.ReadResourceResult
"""Text, binary data, or a whole result."""


class ResourceNotFound(ToolError):
    """There is no resource at this URI."""

    def __init__(self, message: str = "Resource not found") -> None:
        super().__init__(message)


@dataclass(frozen=True)
class Resource:
    """The handler of a resource."""

    handler: Callable[[Any], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None


@dataclass(frozen=True)
class ResourceTemplate(Generic[Arguments]):
    """The handler of a resource template: its arguments are the variables of the URI."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Any], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None
    unsafe: bool = False
    """Whether a variable may lead out of a folder, by `../`, `/` or NUL."""


class Resources(StaticResources):
    """The resources of a server: static `contents` by URI, and handlers."""

    def __init__(
        self,
        contents: Mapping[str, Any],
        resources: Mapping[str, Resource],
        templates: Mapping[str, ResourceTemplate[Any]],
        context: Callable[[Request], BaseContext[Any]],
        calls: Calls,
    ) -> None:
        super().__init__(contents)
        self.resources = resources
        self.templates = [(UriTemplate.parse(uri), t) for uri, t in templates.items()]
        self.context = context
        self.calls = calls

    async def read(
        self, ctx: Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Answer with the static content of the URI, or with what its handler returns."""
        uri = params.uri
        if uri in self.contents:
            return await super().read(ctx, params)
        try:
            with masked(repr(uri)):  # It may have line breaks.
                return sendable(contents_of(uri, *await self.answer(ctx, uri)))
        except ResourceNotFound as error:
            raise not_found(ctx, uri, str(error)) from None
        except ToolError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None

    async def answer(self, ctx: Request, uri: str) -> tuple[ResourceResult, str | None]:
        """Return what the handler returns, and its media type."""
        context = self.context(ctx)
        if entry := self.resources.get(uri):
            return await self.calls.run(entry.handler, context=context), entry.mime_type
        for template, row in self.templates:
            if (variables := template.match(uri)) is None:
                continue
            out = None if row.unsafe else DEFAULT_RESOURCE_SECURITY.validate(variables)
            if out is not None:
                logger.warning("%r refused: %s could lead out of a folder", uri, out)
                break
            given = row.arguments.of_client(variables)
            value = await self.calls.run(row.handler, given, context=context)
            return value, row.mime_type
        raise ResourceNotFound


def contents_of(
    uri: str, value: ResourceResult, mime_type: str | None
) -> types.ReadResourceResult:
    """Return what a handler returned as a result: text, or bytes in base64."""
    if isinstance(value, types.ReadResourceResult):
        return value
    content: types.TextResourceContents | types.BlobResourceContents
    if isinstance(value, str):
        content = types.TextResourceContents(uri=uri, mime_type=mime_type, text=value)
    else:
        blob = b64encode(value).decode()
        content = types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)
    return types.ReadResourceResult(contents=[content])
