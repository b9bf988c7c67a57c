# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of expenses."""

from dataclasses import dataclass, field
from pathlib import Path

from .runtime.command import SettingsError
from .runtime.settings import EnvironmentSettings, url

__all__ = ["Settings", "SettingsError"]


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    rates_api: str = field(
        default="https://api.frankfurter.dev/v1",
        metadata={"variable": "RATES_API", "parse": url},
    )
    """Base address of a currency rate service with the API of Frankfurter."""

    expenses_database: Path | None = field(
        default=None, metadata={"variable": "EXPENSES_DATABASE", "parse": Path}
    )
    """SQLite file with the expenses; without one, they last as long as the server
    runs.
    """

    expenses_state_keys: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "EXPENSES_STATE_KEYS", "parse": str},
    )
    """Keys by which any replica continues the approval of an expense, separated by
    commas.
    """

    public_url: str | None = field(
        default=None, metadata={"variable": "PUBLIC_URL", "parse": url}
    )
    """URL that people give to their clients, such as https://mcp.example.org/mcp.
    Only HTTP needs it.
    """
