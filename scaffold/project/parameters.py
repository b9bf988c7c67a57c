"""The input schema of a tool into a table of its arguments for people to read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.project.model import Parameter
from scaffold.project.text import Text

_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "pattern": "matches {}",
    "format": "format {}",
    "minItems": "items: at least {}",
    "maxItems": "items: at most {}",
}


def parameters(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The properties of an object schema, in its order; boolean subschemas have no words."""
    required = schema.get("required", ())
    return tuple(
        _parameter(name, part if isinstance(part, dict) else {}, name in required)
        for name, part in schema.get("properties", {}).items()
    )


def _parameter(name: str, schema: Mapping[str, Any], required: bool) -> Parameter:
    description = schema.get("description", "")
    return Parameter(
        name=Text(name),
        type=Text(_type(schema)),
        required=required,
        notes=Text(", ".join(_notes(schema))),
        description=Text(description if isinstance(description, str) else ""),
    )


def _type(schema: Any) -> str:
    """A word or two: the type, the values of an enum, the branches of a union."""
    if not isinstance(schema, dict):
        return "any"
    if "enum" in schema:
        return " or ".join(_json(value) for value in schema["enum"])
    if "const" in schema:
        return _json(schema["const"])
    for branches in ("anyOf", "oneOf"):
        if branches in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[branches])))
    match schema.get("type"):
        case "array":
            return f"array of {_type(schema.get('items'))}"
        case list() as types:
            return " or ".join(types)
        case str() as type_:
            return type_
    return str(schema.get("$ref", "any")).rpartition("/")[2] or "any"


def _notes(schema: Mapping[str, Any]) -> Iterator[str]:
    for keyword, words in _LIMITS.items():
        if keyword in schema:
            yield words.format(schema[keyword])
    if "default" in schema:
        yield f"default {_json(schema['default'])}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
