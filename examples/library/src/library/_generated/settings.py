# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of library."""

from dataclasses import dataclass, field

from .runtime.command import SettingsError
from .runtime.settings import EnvironmentSettings, header, url

__all__ = ["Settings", "SettingsError"]


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    library_url: str = field(
        default="https://library.example/v1",
        metadata={"variable": "LIBRARY_URL", "parse": url},
    )
    """Address of the API."""

    library_token: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "LIBRARY_TOKEN", "parse": header},
    )
    """Token of a reader"""

    library_api_key: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "LIBRARY_API_KEY", "parse": header},
    )
    """Key of a lending station"""
