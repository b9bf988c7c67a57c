"""The parts of the National Weather Service's answers that the tools use."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field


class Alert(BaseModel):
    event: str
    area: str = Field(alias="areaDesc")
    severity: str = "Unknown"
    description: str | None = None
    instruction: str | None = None


class AlertFeature(BaseModel):
    properties: Alert


class AlertCollection(BaseModel):
    features: list[AlertFeature]


class Grid(BaseModel):
    forecast: str | None
    """The address of the forecast; None at sea."""


class Point(BaseModel):
    properties: Grid


class Period(BaseModel):
    name: str
    start: datetime = Field(alias="startTime")
    end: datetime = Field(alias="endTime")
    temperature: float
    temperature_unit: Literal["F", "C"] = Field(alias="temperatureUnit")
    wind_speed: str = Field(alias="windSpeed")
    wind_direction: str = Field(alias="windDirection")
    forecast: str = Field(alias="detailedForecast")


class Periods(BaseModel):
    periods: list[Period]


class Forecast(BaseModel):
    properties: Periods
