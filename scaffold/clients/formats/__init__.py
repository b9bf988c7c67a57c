"""Edit the configuration files of clients: one entry is put in or dropped, all else is kept.

`text` is the whole file with its line ends, without a byte order mark; `root` is the path of keys to
the mapping of servers.

- `entries(text, root)` returns the entries by name; none if there is no such mapping.
- `put(text, root, name, entry)` returns the text with an entry: in the place of the one of that name,
  or as a new one at the end of the mapping, which is created if need be.
- `drop(text, root, name)` returns the text without the entry.

All raise `FormatError` for a text that cannot be parsed or edited safely.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from scaffold.clients.formats.json import Json
from scaffold.clients.formats.text import FormatError

__all__ = ["Format", "FormatError", "Json", "format_of"]


class Format(Protocol):
    """A file format of client configurations; see the package."""

    def entries(self, text: str, root: tuple[str, ...]) -> Mapping[str, Any]:
        """Return the entries by name."""

    def put(self, text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any]) -> str:
        """Return the text with an entry."""

    def drop(self, text: str, root: tuple[str, ...], name: str) -> str:
        """Return the text without an entry."""


def format_of(name: str) -> Format:
    """Return the format called `json`, `jsonc` (with comments and final commas), `toml` or `yaml`."""
    if name in ("json", "jsonc"):
        return Json(comments=name == "jsonc")
    return cast("Format", import_module(f"scaffold.clients.formats.{name}"))
