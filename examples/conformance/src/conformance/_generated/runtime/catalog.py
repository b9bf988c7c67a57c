"""The catalog: the objects of the spec, which clients get unchanged."""

import json
from importlib.resources.abc import Traversable
from typing import Any

from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .handlers import Request

LISTS = {"tools", "resources", "resourceTemplates", "prompts"}


class Catalog:
    """What is in `catalog.json`; a key that the spec does not use is an empty list."""

    def __init__(self, file: Traversable) -> None:
        self.objects: dict[str, Any] = json.loads(file.read_bytes())

    def __getitem__(self, key: str) -> Any:
        return self.objects.get(key, [])

    async def verbatim(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware that answers lists with the spec's own objects.

        The SDK's types drop keys that they do not know.
        """
        result = await call_next(ctx)
        if not (ctx.method.endswith("/list") and isinstance(result, dict)):
            return result
        for key in LISTS.intersection(result):
            if (ctx.params or {}).get("cursor") is not None:
                raise MCPError(INVALID_PARAMS, "Unknown cursor: every list is one page")
            result[key] = self[key]
            # Before 2026-07-28, only objects were structured.
            if key == "tools" and ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
                result[key] = self.objects.get("legacyTools", self[key])
        return result
