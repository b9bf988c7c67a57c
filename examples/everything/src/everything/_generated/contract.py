# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import mcp_types as types
from mcp.shared import exceptions, path_security
from pydantic import Field

from .runtime import handlers, prompts, resources, tools
from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.logs import LoggingContext
from .runtime.questions import AskingContext
from .runtime.sampling import SamplingContext

if TYPE_CHECKING:  # It may import this module.
    from everything.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
CreateMessageRequestParams = types.CreateMessageRequestParams
CreateMessageResult = types.CreateMessageResult
EmbeddedResource = types.EmbeddedResource
GetPromptResult = types.GetPromptResult
Icon = types.Icon
ImageContent = types.ImageContent
PromptMessage = types.PromptMessage
ReadResourceResult = types.ReadResourceResult
ResourceLink = types.ResourceLink
SamplingMessage = types.SamplingMessage
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
PathEscapeError = path_security.PathEscapeError
safe_join = path_security.safe_join
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
ResourceNotFound = resources.ResourceNotFound
ResourceResult: TypeAlias = resources.ResourceResult
PromptResult: TypeAlias = prompts.PromptResult
Opened: TypeAlias = "Shared"


class Context(
    ElicitingContext[Opened],
    SamplingContext[Opened],
    AskingContext[Opened],
    LoggingContext[Opened],
):
    """What a handler gets besides its arguments."""


class UnknownColour(ToolError):
    def __init__(self, *, name: object) -> None:
        super().__init__(
            f"There is no colour {name}. Look for one with find_colours, or write #rrggbb."
        )


class StopsOutOfOrder(ToolError):
    def __init__(self) -> None:
        super().__init__("The positions of the stops must rise from one to the next.")


class KotlinSdkToolArguments(Model):
    pass


class ColourDescribeArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""


class ColourDescribeResult(Model):
    hex: str
    rgb: list[int]
    hue: int | None
    """Degrees on the colour wheel; null for grey, which has none."""
    luminance: float
    text: Literal["black", "white"]
    """The colour of text that reads better on it."""
    contrast: float
    """The contrast of that text."""


class FindColoursArguments(Model):
    name_contains: Annotated[str, Field(alias="name-contains")]
    """Letters of the name."""
    max: int = 10
    """How many at most."""


Stop: TypeAlias = list[float | str]


class MakeGradientArguments(Model):
    stops: list[Stop]
    """Positions from 0 to 1, rising, each with a colour."""
    steps: int = 8
    """How many colours."""


MakeGradientResult: TypeAlias = list[str]


class ShowColourArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""


class PlayColourArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""
    seconds: float = 1
    """How long."""


class MakeColourCardArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""


class NameColourArguments(Model):
    name: str
    """Lower-case letters."""
    colour: str
    """A name, or "#rrggbb"."""


class WaitArguments(Model):
    seconds: float
    """How long."""


class SuggestColourArguments(Model):
    pass


class ColourArguments(Model):
    name: str


class SwatchArguments(Model):
    name: str
    size: str | None = None


class ReviewContrastArguments(Model):
    text: str
    """Colour of the text"""
    background: str | None = None
    """Colour behind it; white if not given"""


# Tools without an `outputSchema`.
KotlinSdkToolResult: TypeAlias = ToolResult
FindColoursResult: TypeAlias = ToolResult
ShowColourResult: TypeAlias = ToolResult
PlayColourResult: TypeAlias = ToolResult
MakeColourCardResult: TypeAlias = ToolResult
NameColourResult: TypeAlias = ToolResult
WaitResult: TypeAlias = ToolResult
SuggestColourResult: TypeAlias = ToolResult
