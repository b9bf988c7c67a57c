# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What the server reads from its environment."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar
from urllib.parse import urlsplit

Value = TypeVar("Value")


class SettingsError(Exception):
    """A variable that the server cannot do without is missing, or one is wrong."""


@dataclass(frozen=True)
class Settings:
    """The environment of expenses; an empty variable counts as one not set."""

    rates_api: str
    """RATES_API: Base address of a currency rate service with the API of
    Frankfurter.
    """

    expenses_database: Path | None
    """EXPENSES_DATABASE: SQLite file with the expenses; without one, they last as
    long as the server runs.
    """

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        return cls(
            rates_api=parsed(
                "RATES_API",
                environ.get("RATES_API") or "https://api.frankfurter.dev/v1",
                url,
                "a URL",
            ),
            expenses_database=Path(environ["EXPENSES_DATABASE"])
            if environ.get("EXPENSES_DATABASE")
            else None,
        )


def parsed(name: str, text: str, parse: Callable[[str], Value], kind: str) -> Value:
    """Return the value of a variable. Raises SettingsError, which names it, if it is wrong."""
    try:
        return parse(text.strip())
    except ValueError:
        raise SettingsError(f"{name} must be {kind}, not {text!r:.80}") from None


def url(text: str) -> str:
    parts = urlsplit(text)
    if not (parts.scheme and parts.netloc):
        raise ValueError
    return text
