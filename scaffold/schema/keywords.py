"""The keywords of JSON Schema 2020-12 and draft-07, and which of them hold schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DIALECTS = {
    "https://json-schema.org/draft/2020-12/schema": "2020-12",
    "http://json-schema.org/draft-07/schema": "draft-07",
    "https://json-schema.org/draft-07/schema": "draft-07",
}
"""The supported dialects, by `$schema` without its empty fragment."""

URIS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
}
"""The `$schema` of each dialect."""

FORMATS = frozenset({
    "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4",
    "ipv6", "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri",
    "uri-reference", "uri-template", "uuid",
})  # fmt: skip
"""The formats that validators check. Any other text is allowed, and has no effect."""

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")

_COMMON: Mapping[str, str] = {
    "allOf": "list",
    "anyOf": "list",
    "oneOf": "list",
    "not": "one",
    "if": "one",
    "then": "one",
    "else": "one",
    "dependencies": "map",  # not in 2020-12, but validators still use it
    "properties": "map",
    "patternProperties": "map",
    "additionalProperties": "one",
    "propertyNames": "one",
    "items": "one or list",
    "contains": "one",
    "$defs": "map",  # not in draft-07, but people use it there
    "definitions": "map",
}
HOLDERS: Mapping[str, Mapping[str, str]] = {
    "2020-12": {
        **_COMMON,
        "dependentSchemas": "map",
        "unevaluatedProperties": "one",
        "prefixItems": "list",
        "unevaluatedItems": "one",
        "contentSchema": "one",
    },
    "draft-07": {**_COMMON, "additionalItems": "one"},
}
"""By dialect, the keywords that hold schemas: one, a list, or a map by name."""

IN_PLACE = frozenset({
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies",
})  # fmt: skip
"""Keywords whose schemas apply to the same value as the schema that holds them."""

BRANCHES = ("anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")
"""Keywords whose schemas apply to some values only, and describe them."""

SEVERAL = IN_PLACE | {
    "$ref", "$dynamicRef", "patternProperties", "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip
"""Keywords by which several parts of a schema apply to one value, or one part at any depth."""

ABOUT_TYPES = frozenset({
    "$ref", "$dynamicRef", "additionalProperties", "allOf", "anyOf", "const", "enum", "items",
    "oneOf", "patternProperties", "prefixItems", "properties", "required", "type",
})  # fmt: skip
"""Keywords that determine the type of a value."""

ANCHORS = {"2020-12": ("$anchor", "$dynamicAnchor"), "draft-07": ()}
REFERENCES = {"2020-12": ("$ref", "$dynamicRef"), "draft-07": ("$ref",)}

KEYWORDS = frozenset({
    *HOLDERS["2020-12"], *HOLDERS["draft-07"], "$schema", "$id", "$ref", "$anchor", "$dynamicRef",
    "$dynamicAnchor", "$recursiveRef", "$vocabulary", "$comment", "title", "description", "default",
    "deprecated", "readOnly", "writeOnly", "examples", "type", "enum", "const", "multipleOf",
    "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
    "pattern", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains",
    "maxProperties", "minProperties", "required", "dependentRequired", "format", "contentEncoding",
    "contentMediaType",
})  # fmt: skip
"""All keywords of both dialects."""

_TEXTS = frozenset({"title", "description", "$comment"})
_VALUES = frozenset({"const", "enum", "default"})
"""The keywords whose values may have keys that only look like keywords."""


def without_texts(schema: Any) -> Any:
    """Return a schema, or a part of one, without what is there for readers alone."""
    if isinstance(schema, dict):
        return {
            key: value if key in _VALUES else without_texts(value)
            for key, value in schema.items()
            if not (key in _TEXTS and isinstance(value, str))
            and not (key == "examples" and isinstance(value, list))
        }
    return [*map(without_texts, schema)] if isinstance(schema, list) else schema
