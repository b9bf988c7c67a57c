"""Schemas inside two documents, and what may be said of a value: that it fits one, or does not."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from jsonschema_rs import Registry, Validator

from scaffold.jsonschema.faults import OPTIONS
from scaffold.jsonschema.index import VALIDATORS, Index
from scaffold.jsonschema.keywords import IN_PLACE
from scaffold.jsonschema.subschema import Schema, Subschema
from scaffold.yaml.document import pointer

_COMMON = frozenset({
    "$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "properties",
    "patternProperties", "additionalProperties", "propertyNames", "items", "contains", "type",
    "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
    "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties",
    "minProperties", "required", "format", "contentEncoding", "contentMediaType",
})  # fmt: skip
_VALIDATING: Mapping[str, frozenset[str]] = {
    "2020-12": _COMMON
    | {"$dynamicRef", "dependentSchemas", "dependentRequired", "unevaluatedProperties",
       "prefixItems", "unevaluatedItems", "maxContains", "minContains"},
    "draft-07": _COMMON | {"additionalItems"},
}  # fmt: skip
"""By dialect, the keywords that the engine checks."""


class UnansweredError(Exception):
    """The engine cannot be asked about a part of a schema."""


class Mention(NamedTuple):
    """Names and patterns of properties in a schema and those that apply to the same value.

    `needed` are names of properties that something is said of without a schema, as in `required`.
    """

    names: frozenset[str]
    patterns: frozenset[str]
    needed: frozenset[str]


@dataclass(frozen=True, eq=False)
class Document:
    """A schema whose parts are compared."""

    index: Index
    _parts: dict[str, Part] = field(default_factory=dict)
    _texts: dict[str, bytes] = field(default_factory=dict)
    _around: dict[str, list[Part]] = field(default_factory=dict)
    _mentions: dict[str, Mention] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Schema, dialect: str | None = None) -> Document:
        """Return the document of a schema; see `Index.of`."""
        return cls(Index.of(schema, dialect))

    @property
    def root(self) -> Part:
        """The schema itself."""
        return self.part("")

    def part(self, at: str) -> Part:
        """Return the schema at a pointer, the same object each time."""
        if (found := self._parts.get(at)) is None:
            found = self._parts[at] = Part(self, at, self.index.all[at])
        return found

    def keywords(self, here: Subschema) -> Mapping[str, Any]:
        """Return the keywords of a schema that the engine checks."""
        known = {"$ref"} if self.index.is_only_reference(here) else _VALIDATING[self.dialect]
        found = {key: rule for key, rule in here.keywords.items() if key in known}
        if "if" not in found and ("then" in found or "else" in found):
            found = {key: rule for key, rule in found.items() if key not in ("then", "else")}
        return found

    def text(self, at: str) -> bytes:
        """Return a schema in bytes; two schemas of the same bytes are written alike."""
        if (found := self._texts.get(at)) is None:
            found = self._texts[at] = written(self.index.all[at].schema)
        return found

    @property
    def dialect(self) -> str:
        """The dialect of the schema."""
        return self.index.dialect

    def engine(self, at: str) -> Validator:
        """Return what decides about a schema of the document. Raises UnansweredError."""
        if not at:
            return self.index.validator
        compiled: type[Validator] = VALIDATORS[self.dialect]
        if any("$ref" in k or "$dynamicRef" in k for k in self._inside(at)):
            from urllib.parse import quote  # slow to import

            schema: Any = self.index.root.schema
            registry = Registry([("urn:schema", schema)])
            target = {"$ref": "urn:schema#" + quote(at, safe="/~")}
            try:
                return compiled(target, registry=registry, **OPTIONS)
            except ValueError as error:  # it refers to the metaschema, which isn't at hand
                raise UnansweredError(at) from error
        part: Any = self.index.all[at].schema
        return compiled(part, **OPTIONS)

    def _inside(self, at: str) -> Iterator[Mapping[str, Any]]:
        """Yield the keywords of a schema and of all inside it."""
        for child in self.index.all.values():
            if child.pointer == at or child.pointer.startswith(f"{at}/"):
                yield child.keywords

    def around(self, at: str) -> list[Part]:
        """Return a schema and all that may apply to the same value, however deep."""
        if (found := self._around.get(at)) is None:
            seen = {at: None}
            waiting = [at]
            while waiting:
                for other in self.index.in_place(self.index.all[waiting.pop()]):
                    if other.pointer not in seen:
                        seen[other.pointer] = None
                        waiting.append(other.pointer)
            found = self._around[at] = [*map(self.part, seen)]
        return found

    @cached_property
    def conditional(self) -> frozenset[str]:
        """The names that schemas which may not apply describe inside properties and items."""
        held: dict[str, list[str]] = {}
        waiting: list[str] = []
        for one in self.index.all.values():
            if one.keyword not in IN_PLACE:
                parent = one.pointer.rpartition("/")[0]
                for holder in (parent, parent.rpartition("/")[0]):
                    held.setdefault(holder, []).append(one.pointer)
            elif one.keyword != "allOf":
                waiting.append(one.pointer)
        found: set[str] = set()
        seen: set[str] = set()
        while waiting:
            for part in self.around(waiting.pop()):
                for inner in held.get(part.at, ()) if part.at not in seen else ():
                    mention = self.mention(inner)
                    found |= mention.names | mention.needed
                    waiting.append(inner)
                seen.add(part.at)
        return frozenset(found)

    def mention(self, at: str) -> Mention:
        """Return the names and patterns of properties around a schema."""
        if (found := self._mentions.get(at)) is None:
            names: set[str] = set()
            patterns: set[str] = set()
            needed: set[str] = set()
            for part in self.around(at):
                names |= part.keywords.get("properties", {}).keys()
                patterns |= part.keywords.get("patternProperties", {}).keys()
                needed.update(_needed(part.keywords))
            found = Mention(frozenset(names), frozenset(patterns), frozenset(needed))
            self._mentions[at] = found
        return found


def _needed(keywords: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of properties that keywords other than `properties` name."""
    yield from keywords.get("required", ())
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        for name, rule in keywords.get(keyword, {}).items():
            yield name
            yield from rule if isinstance(rule, list) else ()
    for value in (keywords.get("const"), *keywords.get("enum", ())):
        yield from value if isinstance(value, dict) else ()


class Part:
    """A schema at a pointer in a document: see `Document.part`.

    `keywords` are those that the engine checks. It may `never` allow anything, as it is `false`, or
    obviously `always` allows everything.
    """

    __slots__ = ("_engine", "_under", "always", "at", "document", "keywords", "never", "schema")

    def __init__(self, document: Document, at: str, schema: Subschema) -> None:
        self.document, self.at, self.schema = document, at, schema
        self.keywords = document.keywords(schema)
        self.never = schema.schema is False
        self.always = not (self.never or self.keywords)
        self._engine: Validator | None = None
        self._under: dict[tuple[str | int, ...], Part] = {}

    def under(self, *keys: str | int) -> Part:
        """Return the schema below some of its keys."""
        if (found := self._under.get(keys)) is None:
            found = self._under[keys] = self.document.part(self.at + pointer(*keys))
        return found

    def each(self, keyword: str) -> list[Part]:
        """Return the schemas in a keyword that has a list of them."""
        return [self.under(keyword, number) for number in range(len(self.keywords[keyword]))]

    def targets(self) -> Iterator[Part | None]:
        """Yield the targets of its references; None for one that depends on the value."""
        index = self.document.index
        followed = index.followed(self.schema)
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in self.keywords:
                target = index.references(self.schema).get(keyword)
                known = next((one for one in followed if one is target), None)
                yield self.document.part(known.pointer) if known else None

    def accepts(self, value: Any) -> bool:
        """Return whether it allows a value. Raises UnansweredError."""
        if self._engine is None:
            self._engine = self.document.engine(self.at)
        return self._engine.is_valid(value)


class Claim(NamedTuple):
    """That a value fits a schema, or that it does not."""

    part: Part
    fits: bool = True

    def holds(self, value: Any) -> bool:
        """Return whether it is true of a value."""
        return self.part.accepts(value) is self.fits


Claims = frozenset[Claim]
"""What is known of a value."""


def made(schema: Schema) -> Part:
    """Return a schema that stands in neither document."""
    return Document.of(schema).root


def written(value: Any) -> bytes:
    """Return a value in bytes; two values of the same bytes are written alike."""
    return marshal.dumps(value, 2)  # this version does not depend on where values are in memory


_encode = json.JSONEncoder(sort_keys=True).encode


def encoded(value: Any) -> str:
    """Return a value as text that is the same for the same JSON values only."""
    return _encode(value)
