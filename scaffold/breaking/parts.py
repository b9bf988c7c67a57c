"""The schemas inside a document, and which of them apply to the same value."""

from __future__ import annotations

import json
import marshal
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scaffold.schema.index import Index
from scaffold.schema.keywords import IN_PLACE, KEYWORDS, without_texts
from scaffold.schema.resolver import Schema, Subschema
from scaffold.yaml.document import pointer

_ANNOTATIONS = frozenset({
    "$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveRef", "$vocabulary", "$comment", "$defs",
    "definitions", "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
    "contentSchema",
})  # fmt: skip
_VALIDATING: Mapping[str, frozenset[str]] = {
    "2020-12": KEYWORDS - _ANNOTATIONS - {"additionalItems"},
    "draft-07": KEYWORDS - _ANNOTATIONS - {
        "$dynamicRef", "dependentSchemas", "dependentRequired", "unevaluatedProperties",
        "prefixItems", "unevaluatedItems", "maxContains", "minContains",
    },
}  # fmt: skip
"""By dialect, the keywords that the engine checks."""

_INSIDE = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
           "prefixItems", "items", "additionalItems", "contains", "unevaluatedItems")  # fmt: skip
"""The keywords whose schemas are about properties or items of a value."""

_DEFINITIONS = ("$defs", "definitions")
_DEPENDENT = ("dependentRequired", "dependentSchemas", "dependencies")


@dataclass(frozen=True, eq=False)
class Document:
    """A schema that is compared with another one."""

    index: Index
    _parts: dict[str, Part] = field(default_factory=dict)

    @property
    def root(self) -> Part:
        """The schema itself."""
        return self.part(self.index.root)

    def part(self, schema: Subschema) -> Part:
        """Return a schema in the document, the same object each time."""
        if (part := self._parts.get(schema.pointer)) is None:
            part = self._parts[schema.pointer] = Part(self, schema)
        return part

    @cached_property
    def definitions(self) -> bytes | None:
        """The targets of its references, as bytes; None if any of them is not a definition."""
        root = self.index.root.keywords
        for schema in self.index.all.values():
            for target in self.index.references(schema).values():
                if not getattr(target, "pointer", "").startswith(("/$defs/", "/definitions/")):
                    return None
        names = self.index.resources.keys() - {""}  # by `$id` and `$anchor`
        return None if names else written(without_texts([root.get(w) for w in _DEFINITIONS]))

    @cached_property
    def conditional(self) -> frozenset[str]:
        """The names that schemas which may not apply describe inside properties and items."""
        branches = IN_PLACE - {"allOf"}
        waiting = [self.part(s) for s in self.index.all.values() if s.keyword in branches]
        inside: dict[Part, None] = {}
        for part in waiting:  # grows
            for outer in part.around:
                for child in self.index.children(outer.schema, *_INSIDE):
                    if (child_part := self.part(child)) not in inside:
                        inside[child_part] = None
                        waiting.append(child_part)
        return frozenset(name for part in inside for name in (*part.names, *part.needed))


class Part:
    """A schema in a document.

    `keywords` are those that the engine checks. The schema may `never` allow anything, as it is
    `false`, or obviously `always` allow everything.
    """

    def __init__(self, document: Document, schema: Subschema) -> None:
        self.document, self.schema, self.at = document, schema, schema.pointer
        index = document.index
        known = {"$ref"} if index.is_only_reference(schema) else _VALIDATING[index.dialect]
        self.keywords = {key: rule for key, rule in schema.keywords.items() if key in known}
        if "if" not in self.keywords:
            self.keywords = {k: r for k, r in self.keywords.items() if k not in ("then", "else")}
        self._meanings: dict[frozenset[str] | None, bytes] = {}
        self._under: dict[tuple[str | int, ...], Part] = {}
        self.never = schema.schema is False
        self.always = not (self.never or self.keywords)

    def under(self, *keys: str | int) -> Part:
        """Return the schema below some of its keys."""
        if (part := self._under.get(keys)) is None:
            at = self.at + pointer(*keys)
            part = self._under[keys] = self.document.part(self.document.index.all[at])
        return part

    def each(self, keyword: str) -> list[Part]:
        """Return the schemas in a keyword that has a list of them."""
        return [
            self.under(keyword, number) for number in range(len(self.keywords.get(keyword, ())))
        ]

    def meaning(self, keywords: Collection[str] | None = None) -> bytes:
        """Return the keywords, or some of them, as bytes without texts."""
        key = None if keywords is None else frozenset(keywords)
        if (meaning := self._meanings.get(key)) is None:
            chosen: Any = not self.never and self.keywords
            if keywords is not None:
                chosen = {word: rule for word, rule in self.keywords.items() if word in keywords}
            meaning = self._meanings[key] = written(without_texts(chosen))
        return meaning

    @cached_property
    def targets(self) -> tuple[Part | None, ...]:
        """The targets of its references; None for one that depends on the value."""
        targets: list[Part | None] = []
        if "$ref" in self.keywords:
            followed = self.document.index.followed(self.schema)
            targets += map(self.document.part, followed) if followed else [None]
        return (*targets, None) if "$dynamicRef" in self.keywords else (*targets,)

    def accepts(self, value: Any) -> bool:
        """Return whether it allows a value."""
        return self.document.index.accepts(self.schema, value)

    @cached_property
    def around(self) -> tuple[Part, ...]:
        """The schema and all that may apply to the same value, however deep."""
        result = {self.at: self.schema}
        waiting = [self.schema]
        for here in waiting:  # grows
            for other in self.document.index.in_place(here):
                if other.pointer not in result:
                    result[other.pointer] = other
                    waiting.append(other)
        return tuple(map(self.document.part, result.values()))

    @cached_property
    def names(self) -> frozenset[str]:
        """The properties that the schemas around it describe."""
        return frozenset(
            name for part in self.around for name in part.keywords.get("properties", ())
        )

    @cached_property
    def needed(self) -> frozenset[str]:
        """The properties about which enclosing schemas have other keywords, such as `required`."""
        return frozenset(name for part in self.around for name in needed(part.keywords))


def needed(keywords: Mapping[str, Any]) -> Iterator[str]:
    """Yield the properties that `required` and the like are about."""
    yield from keywords.get("required", ())
    for keyword in _DEPENDENT:
        for name, rule in keywords.get(keyword, {}).items():
            yield name
            yield from rule if isinstance(rule, list) else ()


def part_of(schema: Schema) -> Part:
    """Return a schema that belongs to neither document."""
    return Document(Index(schema)).root


NEVER = part_of(False)


def same(first: Part, second: Part, keywords: Collection[str] | None = None) -> bool:
    """Return whether two schemas are known to be the same but for texts, as they are written alike.

    If `keywords` are given, only these are compared.
    """
    if first is second:
        return True
    if keywords is None and first.keywords.keys() != second.keywords.keys():
        return False
    documents = [part.document for part in (first, second)]
    ours, theirs = (part.meaning(keywords) for part in (first, second))
    return (
        ours == theirs
        and documents[0].index.dialect == documents[1].index.dialect
        and (not _refers(ours) or None is not documents[0].definitions == documents[1].definitions)
    )


def alike(first: Any, second: Any) -> bool:
    """Return whether two schemas are written alike, texts included, and without references."""
    text = written(first)
    return text == written(second) and not _refers(text)


def written(value: Any) -> bytes:
    """Return a value as bytes; equal ones are the same value, written in the same order."""
    return marshal.dumps(value, 2)  # this version does not depend on where values are in memory


def _refers(meaning: bytes) -> bool:
    return b"$ref" in meaning or b"$dynamicRef" in meaning


_encode = json.JSONEncoder(sort_keys=True).encode


def encoded(value: Any) -> str:
    """Return a value as text that is the same for the same JSON values only."""
    return _encode(value)
