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
from mcp_types import GetPromptResult as GetPromptResult
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import PromptMessage as PromptMessage
from mcp_types import ReadResourceResult as ReadResourceResult
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.handlers import BaseContext, Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.prompts import PromptResult as PromptResult
from .runtime.resources import ResourceNotFound as ResourceNotFound
from .runtime.resources import ResourceResult as ResourceResult
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from calculator.lifespan import Shared

Context: TypeAlias = "BaseContext[Shared]"


class BadExpression(ToolError):
    def __init__(self, *, column: object, problem: object) -> None:
        super().__init__(f"Column {column}: {problem}")


class DivisionByZero(ToolError):
    def __init__(self, *, column: object) -> None:
        super().__init__(f"Column {column}: division by zero")


class NumberTooLong(ToolError):
    def __init__(self, *, column: object, limit: object) -> None:
        super().__init__(f"Column {column}: a number of more than {limit} digits")


class UnknownPlace(ToolError):
    def __init__(self, *, location: object, places: object) -> None:
        super().__init__(f"No weather is known for {location}. Try {places}.")


class ComExampleCalculatorArithmeticArguments(Model):
    expression: str
    """Numbers, + - * / // % **, parentheses, abs(x) and sqrt(x), with Python's
    meaning: "2 + 3 * 4", "(1.1 + 2.2) / 3", "2 ** 100", "sqrt(16)".
    """


class ComExampleWeatherCurrentArguments(Model):
    location: str
    """Name of a city, such as San Francisco."""
    units: Literal["metric", "imperial", "standard"] = "imperial"
    """metric: °C and m/s; imperial: °F and mph; standard: K and m/s."""


class ComExampleWeatherCurrentResult(Model):
    place: str
    observed: dt.datetime
    conditions: str
    temperature: float
    temperatureUnit: Literal["°C", "°F", "K"]
    windSpeed: float
    windUnit: Literal["m/s", "mph"]
    windDirection: str
    """Point of the compass that the wind comes from."""
    humidity: int
    """Per cent."""


# Tools without an `outputSchema`.
ComExampleCalculatorArithmeticResult: TypeAlias = ToolResult
