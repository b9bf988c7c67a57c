"""The keywords of schemas, and what they mean whatever document they are in."""

from __future__ import annotations

import re
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

_BYTES = re.compile(r"(image|audio|video)/(?!svg)|application/(octet-stream|pdf|zip)$")
"""Media types of what is no text, so that it is in base64 even if OpenAPI 3.1 does not say so."""

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
    listed = types if isinstance(types, list) else [types]
    types = [name for name in listed if name not in ("null", None)]
    encoding, media_type = schema.get("contentEncoding"), str(schema.get("contentMediaType"))
    is_raw = encoding == "binary" or (encoding is None and _BYTES.match(media_type) is not None)
    return types == ["file"] or (
        types in ([], ["string"]) and (is_raw or schema.get("format") == "binary")
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
