# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock

if TYPE_CHECKING:
    from weather.lifespan import Shared


class GetAlertsArguments(TypedDict):
    state: str
    """Two-letter code of the state or territory, such as CA, NY or PR."""


class GetForecastArguments(TypedDict):
    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich, negative in the Americas."""


class GetForecastResult(TypedDict):
    periods: list[GetForecastResultPeriodsItem]


class GetForecastResultPeriodsItem(TypedDict):
    name: str
    """What people call the time, such as Tonight."""
    start: str
    end: str
    temperature: float
    temperatureUnit: Literal["F", "C"]
    wind: str
    """Speed and direction, such as 5 to 10 mph SW."""
    forecast: str
    """The forecast in words."""


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

GetAlertsResult: TypeAlias = ToolResult

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
