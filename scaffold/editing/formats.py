"""The file formats of clients' configurations: write one, or put an entry into it or drop one.

`text` is the whole file with its line ends, without a byte order mark; `root` is the key of the
mapping of servers.

- `entries(text, root)` returns the entries by name; none if there is no such mapping.
- `put(text, root, name, entry)` returns the text with an entry: in the place of the one of that name,
  or as a new one at the end of the mapping, which is created if need be.
- `drop(text, root, name)` returns the text without the entry.

All raise `FormatError` for a text that cannot be parsed or edited safely.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import Any, Protocol

from scaffold.base.text import json_visible, visible
from scaffold.editing.json import Json

SUFFIXES = {"json": "json", "jsonc": "json", "toml": "toml", "yaml": "yaml", "form": "txt"}
"""The file name suffix of each format."""


class Format(Protocol):
    """A file format of client configurations; see the package."""

    def entries(self, text: str, root: str) -> Mapping[str, Any]:
        """Return the entries by name."""

    def put(self, text: str, root: str, name: str, entry: Mapping[str, Any]) -> str:
        """Return the text with an entry."""

    def drop(self, text: str, root: str, name: str) -> str:
        """Return the text without an entry."""


def format_of(name: str) -> Format:
    """Return the format called `json`, `jsonc` (with comments and final commas) or `toml`.

    YAML is written, and not edited: no client whose file we change reads it.
    """
    if name in ("json", "jsonc"):
        return Json(comments=name == "jsonc")
    from scaffold.editing import toml  # only few clients read TOML

    return toml


def written(document: Mapping[str, Any], format: str) -> str:
    """Return a configuration as text; every reader of the format reads the same data back.

    The fields of a `form` are on a line each, for people to copy.
    """
    match format:
        case "toml":
            import tomlkit  # only few clients read TOML

            return visible(tomlkit.dumps(document), keep="\n")
        case "yaml":
            from scaffold.yaml.writing import yaml_text

            return yaml_text(document).lstrip("\n")
        case "form":
            return "".join(f"{field}: {visible(str(v))}\n" for field, v in document.items())
        case _:
            return json_visible(dumps(document, indent=2, ensure_ascii=False)) + "\n"
