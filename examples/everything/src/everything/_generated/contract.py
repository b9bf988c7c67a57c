# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The types of handlers: what they get, and what they may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.path_security import PathEscapeError, safe_join
from mcp_types import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    CreateMessageRequestParams,
    CreateMessageResult,
    EmbeddedResource,
    GetPromptResult,
    Icon,
    ImageContent,
    PromptMessage,
    ReadResourceResult,
    ResourceLink,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel

from everything._generated.client import Client

if TYPE_CHECKING:
    from everything.lifespan import Shared

# What handlers import from here, beside what is defined here.
__all__ = [
    "Annotations",
    "AudioContent",
    "BlobResourceContents",
    "CallToolResult",
    "ContentBlock",
    "CreateMessageRequestParams",
    "CreateMessageResult",
    "EmbeddedResource",
    "GetPromptResult",
    "Icon",
    "ImageContent",
    "MCPError",
    "PathEscapeError",
    "PromptMessage",
    "ReadResourceResult",
    "ResourceLink",
    "SamplingMessage",
    "TextContent",
    "TextResourceContents",
    "safe_join",
]


@dataclass(frozen=True)
class Context(Client):
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

PromptResult: TypeAlias = str | Sequence[PromptMessage] | GetPromptResult
"""Text of one user message, messages, or a whole result."""

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


@dataclass(frozen=True)
class ResourceTemplate(Generic[Arguments]):
    """The handler of a resource template: its arguments are the variables of the URI."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None
    unsafe: bool = False
    """Whether a variable may lead out of a folder, by `../`, `/` or NUL."""


@dataclass(frozen=True)
class Prompt(Generic[Arguments]):
    """The handler of a prompt."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Context], Awaitable[PromptResult] | PromptResult]
