"""Write a new configuration in a client's format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scaffold.base.text import json_visible, visible

SUFFIXES = {"json": "json", "jsonc": "json", "toml": "toml", "yaml": "yaml", "form": "txt"}
"""The file name suffix of each format."""


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
            return json_visible(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"
