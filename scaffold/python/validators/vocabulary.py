"""The keywords, formats and helpers that checks know."""

from __future__ import annotations

from collections.abc import Mapping

HELPERS = frozenset({
    "anything", "choose", "is_integer", "is_multiple", "is_number", "is_one_of", "is_same",
    "is_unique", "once", "otherwise", "remembered", "shown",
})  # fmt: skip
"""The functions of `faults.py` that others may call."""

FORMATS: Mapping[str, frozenset[str]] = {
    "2020-12": frozenset({
        "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4",
        "ipv6", "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time",
        "uri", "uri-reference", "uri-template", "uuid",
    }),
    "draft-07": frozenset({
        "date", "date-time", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6",
        "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri",
        "uri-reference", "uri-template", "uuid",
    }),
}  # fmt: skip
"""The formats that are checked, by dialect."""

NUMBER, TEXT, ARRAY, OBJECT = "number", "string", "array", "object"
"""The types to which keywords are limited."""

LEAVES = (
    ("minimum", NUMBER, "{value} < {rule}"),
    ("maximum", NUMBER, "{value} > {rule}"),
    ("exclusiveMinimum", NUMBER, "{value} <= {rule}"),
    ("exclusiveMaximum", NUMBER, "{value} >= {rule}"),
    ("multipleOf", NUMBER, "not is_multiple({value}, {rule})"),
    ("minLength", TEXT, "len({value}) < {rule}"),
    ("maxLength", TEXT, "len({value}) > {rule}"),
    ("pattern", TEXT, "not re.search({rule}, {value})"),
    ("format", TEXT, "not {rule}({value})"),
    ("contentEncoding", TEXT, "not {rule}({value})"),
    ("contentMediaType", TEXT, "not {rule}({value})"),
    ("minItems", ARRAY, "len({value}) < {rule}"),
    ("maxItems", ARRAY, "len({value}) > {rule}"),
    ("uniqueItems", ARRAY, "not is_unique({value})"),
    ("minProperties", OBJECT, "len({value}) < {rule}"),
    ("maxProperties", OBJECT, "len({value}) > {rule}"),
)
"""Keywords that hold no schema, in the order in which faults are told: when each refuses a value."""

_ASSERTING = frozenset({
    *(keyword for keyword, _, _ in LEAVES), "$ref", "type", "enum", "const", "required",
    "allOf", "anyOf", "oneOf", "not", "if", "dependencies", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "items", "contains",
})  # fmt: skip
ASSERTING: Mapping[str, frozenset[str]] = {
    "draft-07": _ASSERTING | {"additionalItems"},
    "2020-12": _ASSERTING
    | {"$dynamicRef", "dependentRequired", "dependentSchemas", "prefixItems"}
    | {"unevaluatedProperties", "unevaluatedItems"},
}
"""The keywords that can refuse a value, by dialect."""
