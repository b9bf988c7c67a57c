# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


@dataclass(frozen=True)
class Settings:
    """The settings of everything. An empty variable counts as not set."""

    swatch_size: str
    """SWATCH_SIZE: Width and height of a swatch in pixels, from 1 to 512."""

    palette_file: str | None
    """PALETTE_FILE: JSON file of more colours, an object of names and "#rrggbb"."""

    everything_token: str | None = field(repr=False)
    """EVERYTHING_TOKEN: Bearer token that HTTP clients must send."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        return cls(
            swatch_size=environ.get("SWATCH_SIZE") or "64",
            palette_file=environ.get("PALETTE_FILE") or None,
            everything_token=environ.get("EVERYTHING_TOKEN") or None,
        )
