"""Resources whose content is in the spec, or in files of skills."""

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .handlers import Request

# The code before 2026-07-28 (MCP 2025-11-25, server/resources, error handling).
NOT_FOUND = -32002


class StaticResources:
    """The resources of a server by URI, as JSON."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        self.contents = contents

    async def list(self, ctx: Request, params: object) -> types.ListResourcesResult:
        """Answer with an empty list, which `Catalog` fills."""
        return types.ListResourcesResult(resources=[])

    async def list_templates(
        self, ctx: Request, params: object
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read(
        self, ctx: Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Answer with the content of the URI."""
        if params.uri not in self.contents:
            raise not_found(ctx, params.uri)
        static = {"contents": [self.contents[params.uri]]}
        return types.ReadResourceResult.model_validate(static)


def not_found(ctx: Request, uri: str, message: str = "Resource not found") -> MCPError:
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    code = types.INVALID_PARAMS if is_modern else NOT_FOUND
    return MCPError(code, message, {"uri": uri})
