"""Resolve the references in a JSON Schema."""

from __future__ import annotations

from typing import Any

# Keywords that hold one schema, a list of them, or some by name; `items` may be either.
ONE = {"additionalItems", "additionalProperties", "contains", "else", "if", "items"}
ONE |= {"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
LISTS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
MAPS = {"$defs", "definitions", "dependencies", "dependentSchemas"}
MAPS |= {"patternProperties", "properties"}


class Places:
    """The parts of a schema, by their addresses."""

    def __init__(self, schema: Any, is_draft_7: bool = False) -> None:
        self.is_draft_7 = is_draft_7
        self.roots: dict[str, Any] = {"": schema}
        self.anchors: dict[tuple[str, str], Any] = {}
        self.bases: dict[int, str] = {}
        self.find(schema, "")

    def find(self, schema: Any, base: str) -> None:
        if not isinstance(schema, dict) or id(schema) in self.bases:
            return
        has_reference = self.is_draft_7 and "$ref" in schema
        name = schema.get("$id")
        if isinstance(name, str) and not has_reference:
            if name.startswith("#"):
                self.anchors[base, name[1:]] = schema
            else:
                base = joined(base, name)[0]
                self.roots[base] = schema
        self.bases[id(schema)] = base
        for keyword in () if self.is_draft_7 else ("$anchor", "$dynamicAnchor"):
            if keyword in schema:
                self.anchors[base, schema[keyword]] = schema
        for keyword, rule in schema.items():
            if keyword in LISTS and isinstance(rule, list):
                for part in rule:
                    self.find(part, base)
            elif keyword in ONE:
                self.find(rule, base)
            elif keyword in MAPS and isinstance(rule, dict):
                for part in rule.values():
                    self.find(part, base)

    def add(self, part: Any, of: Any) -> None:
        """Add a part that is made of some keywords of another one."""
        self.bases[id(part)] = self.bases[id(of)]

    def target(self, part: Any) -> Any:
        """Return what the reference in a part of the schema leads to."""
        uri, fragment = joined(self.bases.get(id(part), ""), part["$ref"])
        if uri not in self.roots:
            raise LookupError(part["$ref"])
        if fragment and not fragment.startswith("/"):
            return self.anchors[uri, fragment]
        schema = self.roots[uri]
        for token in fragment.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            schema = schema[int(token)] if isinstance(schema, list) else schema[token]
        self.find(schema, uri)
        return schema


def joined(base: str, reference: str) -> tuple[str, str]:
    """Return the address of a resource, and the fragment in it."""
    if reference[:1] == "#" and "%" not in reference:
        return base, reference[1:]
    # This takes longer to import than all else here.
    from urllib.parse import unquote, urldefrag, urljoin

    whole = base + reference if reference[:1] == "#" else urljoin(base, reference)
    uri, fragment = urldefrag(whole)
    return uri, unquote(fragment)
