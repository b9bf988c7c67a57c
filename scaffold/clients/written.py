"""Write a new configuration in a client's format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scaffold.base.text import json_visible, visible
from scaffold.base.text import toml as toml_string

SUFFIXES = {"json": "json", "jsonc": "json", "toml": "toml", "yaml": "yaml", "form": "txt"}
"""The file name suffix of each format."""


def written(document: Mapping[str, Any], format: str) -> str:
    """Return a configuration as text; every reader of the format reads the same data back.

    The fields of a `form` are on a line each, for people to copy.
    """
    match format:
        case "toml":
            return "\n\n".join(map("\n".join, _tables(document, ()))) + "\n"
        case "yaml":
            from scaffold.yaml.writing import yaml_text  # only few clients read YAML

            return yaml_text(document).lstrip("\n")
        case "form":
            return "".join(f"{field}: {visible(str(v))}\n" for field, v in document.items())
        case _:
            return json_visible(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _tables(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the lines of a TOML table, and of each table in it."""
    values = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"[{'.'.join(map(_toml_key, path))}]"] if path else []
    if values or not table:
        yield lines + [f"{_toml_key(key)} = {_toml(value)}" for key, value in values.items()]
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _tables(value, (*path, key))


def _toml_key(key: str) -> str:
    return key if key.isascii() and key.replace("-", "_").isidentifier() else toml_string(key)


def _toml(value: object) -> str:
    match value:
        case str():
            return toml_string(value)
        case Sequence():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return json.dumps(value)
