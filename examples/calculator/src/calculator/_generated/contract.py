# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, prompts, resources, tools
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from calculator.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
EmbeddedResource = types.EmbeddedResource
GetPromptResult = types.GetPromptResult
Icon = types.Icon
ImageContent = types.ImageContent
PromptMessage = types.PromptMessage
ReadResourceResult = types.ReadResourceResult
ResourceLink = types.ResourceLink
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
ResourceNotFound = resources.ResourceNotFound
ResourceResult: TypeAlias = resources.ResourceResult
PromptResult: TypeAlias = prompts.PromptResult
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
