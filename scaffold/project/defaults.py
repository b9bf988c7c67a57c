"""A tool's `inputSchema` into the arguments that a server fills in where a call leaves them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import quote

import jsonschema_rs

from scaffold.project.references import Schema


def defaults_of(schema: Schema) -> dict[str, Any]:
    """The arguments that the server fills in where a call leaves them out: property to value.

    That is the `default` of each property that is not required, if it is null or valid for the
    property's own schema.
    """
    if isinstance(schema, bool):
        return {}
    given = {
        key: value["default"]
        for key, value in schema.get("properties", {}).items()
        if isinstance(value, Mapping) and "default" in value
        if key not in schema.get("required", ())
    }
    return {
        key: value for key, value in given.items() if value is None or _fits(schema, key, value)
    }


def _fits(schema: Mapping[str, Any], key: str, value: object) -> bool:
    """Whether a value is valid under the schema of a property, its references included."""
    document = "urn:schema"
    pointer = quote(key.replace("~", "~0").replace("/", "~1"), safe="")
    registry = jsonschema_rs.Registry([(document, dict(schema))], retriever=_refuse)
    reference = {"$ref": f"{document}#/properties/{pointer}"}
    return jsonschema_rs.is_valid(reference, value, registry=registry, retriever=_refuse)


def _refuse(uri: str) -> NoReturn:
    raise LookupError(f"not in this document: {uri}")
