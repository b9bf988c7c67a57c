# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


@dataclass(frozen=True)
class Settings:
    """The settings of library. An empty variable counts as not set."""

    library_url: str
    """LIBRARY_URL: Address of the API."""

    library_token: str | None = field(repr=False)
    """LIBRARY_TOKEN: Token of a reader"""

    library_api_key: str | None = field(repr=False)
    """LIBRARY_API_KEY: Key of a lending station"""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the variables. Raises SettingsError, which names all that are wrong."""
        faults = list(faults_of(environ))
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(
            library_url=url(environ.get("LIBRARY_URL") or "https://library.example/v1"),
            library_token=header(environ["LIBRARY_TOKEN"])
            if environ.get("LIBRARY_TOKEN")
            else None,
            library_api_key=header(environ["LIBRARY_API_KEY"])
            if environ.get("LIBRARY_API_KEY")
            else None,
        )


def faults_of(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with the variables that are not plain text."""
    for name, (parse, kind) in PARSERS.items():
        if text := environ.get(name):
            try:
                parse(text)
            except ValueError:
                given = "" if name in SECRETS else f", not {text!r:.80}"
                yield f"{name} must be {kind}{given}"


def url(text: str) -> str:
    text = text.strip()
    parts = urlsplit(text)
    if not (parts.scheme and parts.hostname and parts.port != 0):
        raise ValueError
    return text


def header(text: str) -> str:
    """A credential as a header can hold it."""
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        raise ValueError
    return text


PARSERS: dict[str, tuple[Callable[[str], object], str]] = {
    "LIBRARY_URL": (url, "a URL"),
    "LIBRARY_TOKEN": (header, "ASCII text on one line"),
    "LIBRARY_API_KEY": (header, "ASCII text on one line"),
}
SECRETS = ["LIBRARY_TOKEN", "LIBRARY_API_KEY"]
