# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


@dataclass(frozen=True)
class Settings:
    """The settings of weather. An empty variable counts as not set."""

    weather_api: str
    """WEATHER_API: Base address of the National Weather Service's API."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        return cls(
            weather_api=environ.get("WEATHER_API") or "https://api.weather.gov",
        )
