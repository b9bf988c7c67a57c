"""Checks of `enum`, `const` and `type`, after which no other of the same schema is made."""

from __future__ import annotations

from scaffold.jsonschema.faults import types_of
from scaffold.jsonschema.types import json_types
from scaffold.python.validators import phrases
from scaffold.python.validators.place import Place
from scaffold.python.validators.statements import Lines, indented


def heads(place: Place) -> dict[str, Lines]:
    """Return the checks by keyword, without those that every value passes."""
    schema, found = place.node.schema, {}
    listed = None
    for keyword in ("enum", "const"):
        if keyword in schema:
            allowed = schema["enum"] if keyword == "enum" else [schema["const"]]
            listed = allowed if listed is None else listed
            found[keyword] = place.module.among(place.value, allowed)
    types = types_of(dict(schema)) if "type" in schema and not place.typed else None
    if types and (listed is None or not all({*json_types(one)} & {*types} for one in listed)):
        found["type"] = place.module.of_type(place.value, types)
    return {
        keyword: [
            f"if {condition.false}:",
            *indented(place.fault(phrases.of_keyword(keyword, schema[keyword], place.value))),
        ]
        for keyword, condition in found.items()
        if not condition.is_certain
    }
