# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
)

from mcp.server import ServerRequestContext
from mcp_types import (
    CallToolResult,
    ContentBlock,
    GetPromptResult,
    PromptMessage,
    ReadResourceResult,
)

if TYPE_CHECKING:
    from everything.lifespan import Shared


class KotlinSdkToolArguments(TypedDict):
    pass


class ColourDescribeArguments(TypedDict):
    colour: str
    """A name, or "#rrggbb"."""


class ColourDescribeResult(TypedDict):
    hex: str
    rgb: list[int]
    hue: int | None
    """Degrees on the colour wheel; null for grey, which has none."""
    luminance: float
    text: Literal["black", "white"]
    """The colour of text that reads better on it."""
    contrast: float
    """The contrast of that text."""


FindColoursArguments = TypedDict(
    "FindColoursArguments",
    {
        # Letters of the name.
        "name-contains": str,
        # How many at most.
        "max": int,
    },
)


class MakeGradientArguments(TypedDict):
    stops: list[MakeGradientArgumentsStop]
    """Positions from 0 to 1, rising, each with a colour."""
    steps: int
    """How many colours."""


MakeGradientArgumentsStop: TypeAlias = list[float | str]


MakeGradientResult: TypeAlias = list[str]


class ShowColourArguments(TypedDict):
    colour: str
    """A name, or "#rrggbb"."""


class PlayColourArguments(TypedDict):
    colour: str
    """A name, or "#rrggbb"."""
    seconds: float
    """How long."""


class MakeColourCardArguments(TypedDict):
    colour: str
    """A name, or "#rrggbb"."""


class NameColourArguments(TypedDict):
    name: str
    """Lower-case letters."""
    colour: str
    """A name, or "#rrggbb"."""


class WaitArguments(TypedDict):
    seconds: float
    """How long."""


class ColourArguments(TypedDict):
    name: str


class SwatchArguments(TypedDict):
    name: str
    size: NotRequired[str]


class ReviewContrastArguments(TypedDict):
    text: str
    """Colour of the text"""
    background: NotRequired[str]
    """Colour behind it; white if not given"""


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

KotlinSdkToolResult: TypeAlias = ToolResult
FindColoursResult: TypeAlias = ToolResult
ShowColourResult: TypeAlias = ToolResult
PlayColourResult: TypeAlias = ToolResult
MakeColourCardResult: TypeAlias = ToolResult
NameColourResult: TypeAlias = ToolResult
WaitResult: TypeAlias = ToolResult

ResourceResult: TypeAlias = str | bytes | ReadResourceResult
"""Text, binary data, or a whole result."""

PromptResult: TypeAlias = str | Sequence[PromptMessage] | GetPromptResult
"""Text of one user message, messages, or a whole result."""

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


@dataclass(frozen=True)
class ResourceTemplate(Generic[Arguments]):
    """The handler of a resource template: its arguments are the variables of the URI."""

    handler: Callable[[Arguments, Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None
    unsafe: bool = False
    """Whether a variable may lead out of a folder, by `../`, `/` or NUL."""


@dataclass(frozen=True)
class Prompt(Generic[Arguments]):
    """The handler of a prompt."""

    handler: Callable[[Arguments, Context], Awaitable[PromptResult] | PromptResult]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
