# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of everything."""

from dataclasses import dataclass, field

from .runtime.command import SettingsError
from .runtime.settings import EnvironmentSettings

__all__ = ["Settings", "SettingsError"]


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    swatch_size: str = field(
        default="64", metadata={"variable": "SWATCH_SIZE", "parse": str}
    )
    """Width and height of a swatch in pixels, from 1 to 512."""

    palette_file: str | None = field(
        default=None, metadata={"variable": "PALETTE_FILE", "parse": str}
    )
    """JSON file of more colours, an object of names and "#rrggbb"."""

    everything_token: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "EVERYTHING_TOKEN", "parse": str},
    )
    """Bearer token that HTTP clients must send."""
