# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The types of handlers: what they get, and what they may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    GetPromptResult,
    Icon,
    ImageContent,
    PromptMessage,
    ReadResourceResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel

if TYPE_CHECKING:
    from calculator.lifespan import Shared

# What handlers import from here, beside what is defined here.
__all__ = [
    "Annotations",
    "AudioContent",
    "BlobResourceContents",
    "CallToolResult",
    "ContentBlock",
    "EmbeddedResource",
    "GetPromptResult",
    "Icon",
    "ImageContent",
    "MCPError",
    "PromptMessage",
    "ReadResourceResult",
    "ResourceLink",
    "TextContent",
    "TextResourceContents",
]


@dataclass(frozen=True)
class Context:
    """What a handler gets besides its arguments."""

    shared: Shared
    """What `lifespan.py` opened."""
    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report the progress of the call, if the client asked for it."""
        await self.request.session.report_progress(done, total, message)


ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | BaseModel
    | ContentBlock
    | Sequence[ContentBlock]
    | CallToolResult
    | None
)
"""Text, a JSON object or a model, content blocks, a whole result, or nothing."""

ResourceResult: TypeAlias = str | bytes | ReadResourceResult
"""Text, binary data, or a whole result."""

Arguments = TypeVar("Arguments", bound=BaseModel)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def`, which runs in a thread."""

    arguments: type[Arguments]
    handler: Callable[
        [Arguments, Context],
        Awaitable[Result | CallToolResult] | Result | CallToolResult,
    ]
    timeout: float | None = None
    """Seconds that a call may take."""


@dataclass(frozen=True)
class Resource:
    """The handler of a resource."""

    handler: Callable[[Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None
