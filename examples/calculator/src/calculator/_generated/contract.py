# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock, ReadResourceResult

if TYPE_CHECKING:
    from calculator.lifespan import Shared


class ComExampleCalculatorArithmeticArguments(TypedDict):
    expression: str
    """Numbers, + - * / // % **, parentheses, abs(x) and sqrt(x), with Python's
    meaning: "2 + 3 * 4", "(1.1 + 2.2) / 3", "2 ** 100", "sqrt(16)".
    """


class ComExampleWeatherCurrentArguments(TypedDict):
    location: str
    """Name of a city, such as San Francisco."""
    units: Literal["metric", "imperial", "standard"]
    """metric: °C and m/s; imperial: °F and mph; standard: K and m/s."""


class ComExampleWeatherCurrentResult(TypedDict):
    place: str
    observed: str
    conditions: str
    temperature: float
    temperatureUnit: Literal["°C", "°F", "K"]
    windSpeed: float
    windUnit: Literal["m/s", "mph"]
    windDirection: str
    """Point of the compass that the wind comes from."""
    humidity: int
    """Per cent."""


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

ComExampleCalculatorArithmeticResult: TypeAlias = ToolResult

ResourceResult: TypeAlias = str | bytes | ReadResourceResult
"""Text, binary data, or a whole result."""

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


@dataclass(frozen=True)
class Resource:
    """The handler of a resource."""

    handler: Callable[[Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
