"""The keywords of schemas, and what they mean whatever document they are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from scaffold.schema.check import pattern_problem
from scaffold.schema.keywords import HOLDERS, TYPES

Json: TypeAlias = Any

PLAIN = frozenset({
    "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf",
    "maxLength", "minLength", "pattern", "format", "contentMediaType", "contentEncoding",
    "maxItems", "minItems", "uniqueItems", "minContains", "maxContains",
    "maxProperties", "minProperties", "dependentRequired",
    "title", "default", "deprecated", "enum", "const",
})  # fmt: skip
"""Keywords without schemas in them."""

HELD = HOLDERS["2020-12"]
"""The keywords that hold schemas: one, a list, or a map by name."""

_OF_ALL_TYPES = ("const", "allOf", "anyOf", "oneOf", "not", "if", "$ref")
"""Keywords that can refuse null, whatever `type` allows."""


def is_wrong_pattern(pattern: object) -> bool:
    """Return whether a value is no regular expression of JSON Schema."""
    return not isinstance(pattern, str) or pattern_problem(pattern) is not None


def is_binary(schema: object) -> bool:
    """Return whether a schema is that of bytes, which JSON cannot hold but in base64."""
    if not isinstance(schema, Mapping):
        return False
    types = schema.get("type")
    types = (
        [type_name for type_name in types if type_name not in ("null", None)]
        if isinstance(types, list)
        else [types]
    )
    if types not in (["string"], ["file"]):
        return False
    encoding = schema.get("contentEncoding")
    media_type = schema.get("contentMediaType")
    return (
        types == ["file"]
        or schema.get("format") == "binary"
        or encoding == "binary"
        or (encoding is None and media_type == "application/octet-stream")
    )


def references(schema: Json) -> Iterator[str]:
    """Yield the names of the definitions that a converted schema refers to."""
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"].removeprefix("#/$defs/")
    inner = schema.values() if isinstance(schema, dict) else schema
    for item in inner if isinstance(schema, dict | list) else ():
        yield from references(item)


def loosened(schema: Json) -> Json:
    """Return a schema in which a definition that allows more makes no schema allow less."""
    if isinstance(schema, list):
        return [loosened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result: dict[str, Json] = {}
    for key, value in schema.items():
        if HELD.get(key) == "map":
            result[key] = {name: loosened(item) for name, item in value.items()}
        elif key not in ("not", "if", "then", "else", "oneOf"):
            result[key] = loosened(value) if key in HELD else value
    return result


def known_types(value: object) -> Json:
    """Return the value of `type`, as far as JSON Schema knows it."""
    if isinstance(value, list):
        names = ["null" if name is None else name for name in value]  # YAML's null, unquoted
        return [*dict.fromkeys(name for name in names if name in TYPES)]
    if value == "file":
        return "string"
    return value if isinstance(value, str) and value in TYPES else None


def nullable(schema: dict[str, Json]) -> Json:
    """Return a schema that allows null too."""
    types = schema.get("type")
    if types is None or not schema.keys().isdisjoint(_OF_ALL_TYPES):
        return {"anyOf": [schema, {"type": "null"}]} if schema else schema
    types = types if isinstance(types, list) else [types]
    schema = {**schema, "type": [*dict.fromkeys([*types, "null"])]}
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    return schema
