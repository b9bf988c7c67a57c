# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, tools
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from weather.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
EmbeddedResource = types.EmbeddedResource
Icon = types.Icon
ImageContent = types.ImageContent
ResourceLink = types.ResourceLink
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
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
