"""A JSON Schema as the schemas inside it, and where each of its references leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scaffold.spec.document import pointer, tokens

DIALECTS = {
    "https://json-schema.org/draft/2020-12/schema": "2020-12",
    "http://json-schema.org/draft-07/schema": "draft-07",
    "https://json-schema.org/draft-07/schema": "draft-07",
}
"""The dialects that a tool's schema may be written in, by `$schema` without its empty fragment."""

_IN_PLACE = {
    "allOf": "list",
    "anyOf": "list",
    "oneOf": "list",
    "not": "one",
    "if": "one",
    "then": "one",
    "else": "one",
    "dependentSchemas": "map",
    "dependencies": "map",
}
"""Keywords whose schemas see the same value as their own schema does, and what they hold."""

_HOLDERS = _IN_PLACE | {
    "properties": "map",
    "patternProperties": "map",
    "additionalProperties": "one",
    "propertyNames": "one",
    "unevaluatedProperties": "one",
    "items": "one or list",
    "prefixItems": "list",
    "additionalItems": "one",
    "unevaluatedItems": "one",
    "contains": "one",
    "contentSchema": "one",
    "$defs": "map",
    "definitions": "map",
}
"""Keywords that hold schemas: one, a list of them, or a map from names to them."""

KEYWORDS = frozenset({
    *_HOLDERS, "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor",
    "$recursiveRef", "$vocabulary", "$comment", "title", "description", "default", "deprecated",
    "readOnly", "writeOnly", "examples", "type", "enum", "const", "multipleOf", "maximum",
    "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
    "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties",
    "minProperties", "required", "dependentRequired", "format", "contentEncoding",
    "contentMediaType",
})  # fmt: skip
"""All keywords of 2020-12 and draft-07."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Subschema(NamedTuple):
    """A schema inside a schema; `base` is the URI that its references are relative to."""

    pointer: str
    schema: Mapping[str, Any]
    base: str
    in_place: bool
    """Whether it sees the same value as the schema around it."""


class UnresolvedError(ValueError):
    """A reference that leads nowhere; `remote` where it leads out of the schema."""

    def __init__(self, target: str, remote: bool) -> None:
        super().__init__(target)
        self.target = target
        self.remote = remote


@dataclass(frozen=True)
class Index:
    """All schemas in a schema, by JSON Pointer, in the order of the text.

    What only a reference makes a schema, because it stands under a keyword that JSON Schema does
    not know, is among them. `resources` has the pointer of each `$id`, and of each anchor.
    """

    root: Mapping[str, Any]
    all: dict[str, Subschema] = field(default_factory=dict)
    resources: dict[str, str] = field(default_factory=lambda: {"": ""})

    @classmethod
    def of(cls, root: Mapping[str, Any]) -> Index:
        """The index of a schema that is an object. Parts that are no schemas are left out."""
        index = cls(root)
        waiting = index._add("", root, "")
        while waiting:
            subschema = waiting.pop()
            for _, reference in references(subschema):
                try:
                    target = index.resolve(subschema, reference)
                except UnresolvedError:
                    continue
                waiting += index._add(target, value_at(root, target), subschema.base)
        return index

    def children(self, subschema: Subschema, *, in_place: bool = False) -> Iterator[Subschema]:
        """The schemas directly inside a schema."""
        for path, _, _ in _inside(subschema.schema, _IN_PLACE if in_place else _HOLDERS):
            child = self.all.get(subschema.pointer + path)
            if child:
                yield child

    def resolve(self, subschema: Subschema, reference: str) -> str:
        """The pointer that a reference leads to. Raises UnresolvedError."""
        from urllib.parse import unquote, urljoin  # rarely needed, and slow to import

        uri, _, fragment = reference.partition("#")
        if uri:
            uri = uri if _SCHEME.match(uri) else urljoin(subschema.base, uri)
        else:
            uri = subschema.base
        if uri not in self.resources:
            raise UnresolvedError(uri, remote=True)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            anchor = self.resources.get(f"{uri}#{fragment}")
            if anchor is None:
                raise UnresolvedError(reference, remote=False)
            return anchor
        here = self.resources[uri] + fragment
        if not isinstance(value_at(self.root, here), dict | bool):
            raise UnresolvedError(reference, remote=False)
        return here

    def _add(self, at: str, schema: Any, base: str, in_place: bool = False) -> list[Subschema]:
        """Note a schema and those inside it; the ones that are new."""
        if not isinstance(schema, dict) or at in self.all:
            return []
        identifier = schema.get("$id")
        if isinstance(identifier, str):
            base = self._identify(at, identifier, base)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(anchor := schema.get(keyword), str):
                self.resources.setdefault(f"{base}#{anchor}", at)
        self.all[at] = Subschema(at, schema, base, in_place)
        new = [self.all[at]]
        for path, inner, keyword in _inside(schema, _HOLDERS):
            new += self._add(at + path, inner, base, keyword in _IN_PLACE)
        return new

    def _identify(self, at: str, identifier: str, base: str) -> str:
        """Note where an `$id` stands; the base of the references under it."""
        from urllib.parse import urljoin

        uri, _, fragment = identifier.partition("#")
        if uri:
            base = uri if _SCHEME.match(uri) else urljoin(base, uri)
            self.resources[base] = at
        if fragment:  # draft-07 writes anchors so
            self.resources.setdefault(f"{base}#{fragment}", at)
        return base


def references(subschema: Subschema) -> Iterator[tuple[str, str]]:
    """The references of one schema: keyword and URI reference."""
    for keyword in ("$ref", "$dynamicRef"):
        if isinstance(reference := subschema.schema.get(keyword), str):
            yield keyword, reference


def value_at(root: Any, at: str) -> Any:
    """The value at a JSON Pointer, or None."""
    for token in tokens(at):
        if isinstance(root, dict) and token in root:
            root = root[token]
        elif isinstance(root, list) and token.isdecimal() and int(token) < len(root):
            root = root[int(token)]
        else:
            return None
    return root


def _inside(
    schema: Mapping[str, Any], keywords: Mapping[str, str]
) -> Iterator[tuple[str, Any, str]]:
    """What stands where schemas stand: relative pointer, value, keyword."""
    for keyword, value in schema.items():
        holds = keywords.get(keyword)
        if holds is None:
            continue
        if isinstance(value, list):
            if "list" in holds:
                for number, item in enumerate(value):
                    yield f"/{keyword}/{number}", item, keyword
        elif holds == "map":
            if isinstance(value, dict):
                for name, item in value.items():
                    yield f"/{keyword}{pointer(name)}", item, keyword
        elif "one" in holds:
            yield f"/{keyword}", value, keyword
