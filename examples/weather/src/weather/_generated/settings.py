# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What the server reads from its environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self


class SettingsError(Exception):
    """A variable that the server cannot do without is missing."""


@dataclass(frozen=True)
class Settings:
    """The environment of weather; an empty variable counts as one not set."""

    weather_api: str
    """WEATHER_API: Base address of the National Weather Service's API."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        return cls(
            weather_api=environ.get("WEATHER_API") or "https://api.weather.gov",
        )
