# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of weather."""

from dataclasses import dataclass, field

from .runtime.command import SettingsError
from .runtime.settings import EnvironmentSettings

__all__ = ["Settings", "SettingsError"]


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    weather_api: str = field(
        default="https://api.weather.gov",
        metadata={"variable": "WEATHER_API", "parse": str},
    )
    """Base address of the National Weather Service's API."""
