# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of everything."""

from dataclasses import dataclass, field

from .runtime import command
from .runtime.settings import EnvironmentSettings

SettingsError = command.SettingsError


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    swatch_size: str = field(default="64", metadata={"variable": "SWATCH_SIZE"})
    """Width and height of a swatch in pixels, from 1 to 512."""

    palette_file: str | None = field(
        default=None, metadata={"variable": "PALETTE_FILE"}
    )
    """JSON file of more colours, an object of names and "#rrggbb"."""

    everything_token: str | None = field(
        default=None, repr=False, metadata={"variable": "EVERYTHING_TOKEN"}
    )
    """Bearer token that HTTP clients must send."""
