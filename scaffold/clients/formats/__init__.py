"""Edit the configuration files of clients: one entry is put in or dropped, all else is kept.

Each format is a module with three functions. `text` is the whole file with its
line ends, without a byte order mark; `root` is the path of keys to the mapping of servers.

- `entries(text, root)` returns the entries by name; none if there is no such mapping.
- `put(text, root, name, entry)` returns the text with a new entry at the end of the mapping, which
  is created if need be.
- `drop(text, root, name, was)` returns the text without the entry. `was` is the text before
  `put`, if it is known: what `put` created goes too, and layout that it changed comes back.

All raise `FormatError` for a text that cannot be parsed or edited safely.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from scaffold.clients.formats.text import FormatError

__all__ = ["Format", "FormatError", "format_of"]


class Format(Protocol):
    """A file format of client configurations; see the package."""

    def entries(self, text: str, root: tuple[str, ...]) -> Mapping[str, Any]:
        """Return the entries by name."""

    def put(self, text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any]) -> str:
        """Return the text with a new entry."""

    def drop(self, text: str, root: tuple[str, ...], name: str, was: str | None) -> str:
        """Return the text without an entry."""


def format_of(name: str) -> Format:
    """Return the format called `json`, `jsonc` (with comments and final commas), `toml` or `yaml`."""
    return cast("Format", import_module(f"scaffold.clients.formats.{name}"))
