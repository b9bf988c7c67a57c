# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypedDict, TypeVar

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock

if TYPE_CHECKING:
    from service_status.lifespan import Shared


class GetStatusArguments(TypedDict):
    service: str
    """Name of the service, such as billing"""


class GetStatusResult(TypedDict):
    up: bool
    since: str


@dataclass(frozen=True)
class Context:
    """What a handler may use besides its arguments."""

    shared: Shared
    """What `lifespan.py` opened."""
    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""


ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | ContentBlock
    | Sequence[ContentBlock]
    | CallToolResult
    | None
)
"""Text, a JSON object, content blocks, a whole result, or nothing to say."""

Arguments = TypeVar("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def` that gets a thread of its own."""

    handler: Callable[
        [Arguments, Context],
        Awaitable[Result | CallToolResult] | Result | CallToolResult,
    ]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Filled in where the client leaves an argument out."""
    timeout: float | None = None
    """Seconds that a call may take."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
