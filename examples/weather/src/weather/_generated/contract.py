# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import ContentBlock as ContentBlock
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.handlers import BaseContext, Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from weather.lifespan import Shared

Context: TypeAlias = "BaseContext[Shared]"


class UnknownState(ToolError):
    def __init__(self, *, state: object) -> None:
        super().__init__(f"{state} is not the code of a US state or territory.")


class NoForecast(ToolError):
    def __init__(self, *, latitude: object, longitude: object) -> None:
        super().__init__(
            f"No forecast for {latitude}, {longitude}: only land in the United States and its territories has one."
        )


class WeatherUnavailable(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The weather service did not answer as it should: {reason}. Try again later."
        )


class GetAlertsArguments(Model):
    state: str
    """Two-letter code of the state or territory, such as CA, NY or PR."""


class GetForecastArguments(Model):
    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich, negative in the Americas."""


class GetForecastPeriod(Model):
    name: str
    """What people call the time, such as Tonight."""
    start: dt.datetime
    end: dt.datetime
    temperature: float
    temperatureUnit: Literal["F", "C"]
    wind: str
    """Speed and direction, such as 5 to 10 mph SW."""
    forecast: str
    """The forecast in words."""


class GetForecastResult(Model):
    periods: list[GetForecastPeriod]


# Tools without an `outputSchema`.
GetAlertsResult: TypeAlias = ToolResult
