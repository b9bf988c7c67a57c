# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Arguments and results of the handlers."""

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from weather._generated.contract import ToolResult


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


GetAlertsResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
