"""Words for parts of schemas, of which names are made."""

from __future__ import annotations

from scaffold.jsonschema.subschema import Subschema
from scaffold.python.names import singular, words
from scaffold.yaml.document import tokens

_STRUCTURE = frozenset({
    "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$defs",
    "definitions", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains",
    "additionalItems", "propertyNames", "dependentSchemas", "dependencies", "unevaluatedItems",
    "unevaluatedProperties",
})  # fmt: skip


def label_of(part: Subschema) -> str:
    """Return words for a part: the name of the property or definition that it belongs to."""
    label = ""
    before = ""
    for token in tokens(part.pointer):
        named = before in ("properties", "$defs", "definitions", "dependentSchemas")
        if named or (token not in _STRUCTURE and not token.isdecimal()):
            label, before = "_".join(words(token)).lower()[:40], ""
            continue
        if token.isdecimal():
            label = (
                f"{label}_{int(token) + 1}"
                if before in ("anyOf", "oneOf", "allOf")
                else f"{label}_item"
            )
        elif token in ("items", "contains"):
            label = (singular(label) or f"{label}_item") if label else "item"
        elif token in ("not", "if", "then", "else"):
            label = f"{label}_{token}"
        before = token
    return label.strip("_")
