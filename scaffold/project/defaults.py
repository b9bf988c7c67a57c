"""A tool's `inputSchema` into the arguments that a server fills in where a call leaves them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import quote

import jsonschema_rs

from scaffold.project.references import Schema

_DOCUMENT = "urn:schema"


def defaults_of(schema: Schema) -> dict[str, Any]:
    """The arguments that the server fills in where a call leaves them out: property to value.

    That is the `default` of each property that is not required, if it is null or valid for the
    property's own schema.
    """
    if isinstance(schema, bool):
        return {}
    required = schema.get("required", ())
    given = {
        key: value["default"]
        for key, value in schema.get("properties", {}).items()
        if key not in required and isinstance(value, Mapping) and "default" in value
    }
    if all(value is None for value in given.values()):
        return given
    registry = jsonschema_rs.Registry([(_DOCUMENT, dict(schema))], retriever=_refuse)
    return {
        key: value for key, value in given.items() if value is None or _fits(value, key, registry)
    }


def _fits(value: Any, key: str, registry: jsonschema_rs.Registry) -> bool:
    """Whether a value is what the schema of a property, its references included, allows."""
    pointer = quote(key.replace("~", "~0").replace("/", "~1"), safe="")
    reference = {"$ref": f"{_DOCUMENT}#/properties/{pointer}"}
    return jsonschema_rs.is_valid(reference, value, registry=registry, retriever=_refuse)


def _refuse(uri: str) -> NoReturn:
    raise LookupError(f"not in this document: {uri}")
