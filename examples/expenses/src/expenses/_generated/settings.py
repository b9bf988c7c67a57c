# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


@dataclass(frozen=True)
class Settings:
    """The settings of expenses. An empty variable counts as not set."""

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
        """Read the variables. Raises SettingsError, which names all that are wrong."""
        faults = list(faults_of(environ))
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(
            rates_api=url(environ.get("RATES_API") or "https://api.frankfurter.dev/v1"),
            expenses_database=Path(environ["EXPENSES_DATABASE"])
            if environ.get("EXPENSES_DATABASE")
            else None,
        )


def faults_of(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with the variables that are not plain text."""
    for name, (parse, kind) in PARSERS.items():
        if text := environ.get(name):
            try:
                parse(text)
            except ValueError:
                yield f"{name} must be {kind}, not {text!r:.80}"


def url(text: str) -> str:
    text = text.strip()
    parts = urlsplit(text)
    if not (parts.scheme and parts.hostname and parts.port != 0):
        raise ValueError
    return text


PARSERS: dict[str, tuple[Callable[[str], object], str]] = {
    "RATES_API": (url, "a URL"),
}
