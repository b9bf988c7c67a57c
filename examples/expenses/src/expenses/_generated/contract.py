# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock
from pydantic import BaseModel

from expenses._generated.client import Client

if TYPE_CHECKING:
    from expenses.lifespan import Shared


@dataclass(frozen=True)
class Context(Client):
    """What a handler may use besides its arguments."""

    shared: Shared
    """What `lifespan.py` opened."""
    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Say how far the call is, if the client asked to be told."""
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
"""Text, a JSON object or a model, content blocks, a whole result, or nothing to say."""

Arguments = TypeVar("Arguments", bound=BaseModel)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def` that gets a thread of its own."""

    arguments: type[Arguments]
    handler: Callable[
        [Arguments, Context],
        Awaitable[Result | CallToolResult] | Result | CallToolResult,
    ]
    timeout: float | None = None
    """Seconds that a call may take."""
