# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Arguments and results of the handlers."""

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from calculator._generated.contract import ToolResult


class Model(BaseModel):
    """What fits a schema, as attributes; an optional one that is absent is None.

    `model_fields_set` tells null from absent, `model_extra` has what the schema does
    not name. As a result, only what was set goes out.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


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


ComExampleCalculatorArithmeticResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
