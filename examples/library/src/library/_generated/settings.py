# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of library."""

from dataclasses import dataclass, field

from .runtime import command
from .runtime.settings import EnvironmentSettings, Header, Url

SettingsError = command.SettingsError


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    library_url: Url = field(
        default="https://library.example/v1", metadata={"variable": "LIBRARY_URL"}
    )
    """Address of the API."""

    library_token: Header | None = field(
        default=None, repr=False, metadata={"variable": "LIBRARY_TOKEN"}
    )
    """Token of a reader"""

    library_api_key: Header | None = field(
        default=None, repr=False, metadata={"variable": "LIBRARY_API_KEY"}
    )
    """Key of a lending station"""
