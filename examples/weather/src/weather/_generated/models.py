# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from weather._generated.contract import ToolResult


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


class GetAlertsArguments(Model):
    state: str
    """Two-letter code of the state or territory, such as CA, NY or PR."""


class GetForecastArguments(Model):
    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich, negative in the Americas."""


class Period(Model):
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
    periods: list[Period]


# Tools without an `outputSchema`.
GetAlertsResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
