"""Find the defaults that a server uses for omitted arguments."""

from __future__ import annotations

from typing import Any

from scaffold.jsonschema.index import Index


def defaults_of(index: Index) -> dict[str, Any]:
    """Return the default of each optional property, if it is null or the property allows it."""
    defaults = {}
    for one in index.members:
        stated = [part.keywords["default"] for part in one.schemas if "default" in part.keywords]
        if stated and not one.required:
            value = stated[0]
            if value is None or all(index.accepts(part, value) for part in one.schemas):
                defaults[one.name] = value
    return defaults
