# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from calculator._generated.contract import ToolResult


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
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


# Tools without an `outputSchema`.
ComExampleCalculatorArithmeticResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
