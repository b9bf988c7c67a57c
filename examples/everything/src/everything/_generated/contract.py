# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp.shared.path_security import PathEscapeError as PathEscapeError
from mcp.shared.path_security import safe_join as safe_join
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import ContentBlock as ContentBlock
from mcp_types import CreateMessageRequestParams as CreateMessageRequestParams
from mcp_types import CreateMessageResult as CreateMessageResult
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import GetPromptResult as GetPromptResult
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import PromptMessage as PromptMessage
from mcp_types import ReadResourceResult as ReadResourceResult
from mcp_types import ResourceLink as ResourceLink
from mcp_types import SamplingMessage as SamplingMessage
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents
from pydantic import Field

from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.logs import LoggingContext
from .runtime.prompts import PromptResult as PromptResult
from .runtime.questions import AskingContext
from .runtime.resources import ResourceNotFound as ResourceNotFound
from .runtime.resources import ResourceResult as ResourceResult
from .runtime.sampling import SamplingContext
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from everything.lifespan import Shared

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
