"""A JSON Schema document into its schemas, and those they refer to; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin

from scaffold.spec.subschemas import DIALECTS

Schema = Mapping[str, Any] | bool

_ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_SEVERAL = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_BY_NAME = frozenset(
    {
        "$defs",
        "definitions",
        "dependencies",
        "dependentSchemas",
        "patternProperties",
        "properties",
    }
)
_OF_TYPES = frozenset(
    {"$ref", "additionalProperties", "allOf", "anyOf", "const", "enum", "items", "oneOf"}
    | {"patternProperties", "prefixItems", "properties", "required", "type"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """A schema, the base URI of the references in it, and the word that its parent has for it."""

    schema: Schema
    base: str
    name: str

    def get(self, keyword: str, default: Any = None) -> Any:
        """The value of a keyword of the schema."""
        return default if isinstance(self.schema, bool) else self.schema.get(keyword, default)

    def values(self) -> Sequence[object] | None:
        """The only values that `const` or `enum` allow; None if there is neither."""
        if not isinstance(self.schema, bool) and "const" in self.schema:
            return (self.schema["const"],)
        values: Sequence[object] | None = self.get("enum")
        return values


class References:
    """Where each reference of one schema document leads: 2020-12, or draft-07 by its `$schema`."""

    def __init__(self, root: Schema) -> None:
        self.is_draft_7 = isinstance(root, Mapping) and (
            DIALECTS.get(str(root.get("$schema", "")).removesuffix("#")) == "draft-07"
        )
        self.root = self._placed(root, "", "")
        self._resources: dict[str, Place] = {"": self.root}
        self._anchors: dict[tuple[str, str], Place] = {}
        places = [self.root]
        while places:
            place = places.pop()
            if not isinstance(place.schema, bool):
                self._index(place)
                places += self.under([place], *place.schema)

    def resolve(self, reference: str, base: str) -> Place | None:
        """The place that a `$ref` in a schema of this base URI names; None if it is not in here.

        JSON Schema 2020-12, 8.2.3.1; fragments are JSON Pointers (RFC 6901) or anchors.
        """
        uri, _, fragment = _join(base, reference).partition("#")
        fragment = unquote(fragment)
        if uri not in self._resources:
            return None
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((uri, fragment))
        place = self._resources[uri]
        value, base, key = place.schema, place.base, place.name
        for token in fragment.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            value = _item(value, key)
            base = self._base(value, base)
        return Place(value, base, key) if isinstance(value, Mapping | bool) else None

    def parts(self, place: Place) -> list[Place]:
        """A schema and all that hold beside it, by `allOf` and `$ref`; each one once.

        In draft-07 nothing holds beside a `$ref`, the schema that it stands in included.
        """
        parts: list[Place] = []
        seen: set[int] = set()
        waiting = [place]
        while waiting:
            part = waiting.pop()
            if isinstance(part.schema, bool) or id(part.schema) in seen:
                continue
            seen.add(id(part.schema))
            targets = self._targets(part)
            if not (targets and self.is_draft_7):
                parts.append(part)
                targets += self.under([part], "allOf")
            waiting += reversed(targets)
        return parts

    def stands_for(self, place: Place) -> Place | None:
        """The one schema that this one stands for, if it says nothing itself about types."""
        keywords = set() if isinstance(place.schema, bool) else place.schema.keys() & _OF_TYPES
        if "$ref" in keywords and (len(keywords) == 1 or self.is_draft_7):
            return self._targets(place)[0]
        members = self.under([place], "allOf") if keywords == {"allOf"} else []
        return members[0] if len(members) == 1 else None

    def under(self, places: Iterable[Place], *keywords: str) -> list[Place]:
        """The schemas that these keywords of these schemas hold, by name where they name them.

        None for keywords that hold no schemas: what lies in `enum`, `const`, `default` or
        `examples` only looks like one.
        """
        return [
            self._placed(schema, place.base, name)
            for place in places
            for keyword in keywords
            for name, schema in _named(keyword, place.get(keyword))
            if isinstance(schema, Mapping | bool)
        ]

    def _targets(self, place: Place) -> list[Place]:
        """What a schema refers to: no place, or one; anything, if it is not to be found."""
        if (reference := place.get("$ref")) is None:
            return []
        target = self.resolve(reference, place.base)
        return [target or Place(True, place.base, reference)]

    def _placed(self, schema: Schema, base: str, name: str) -> Place:
        return Place(schema, self._base(schema, base), name)

    def _base(self, schema: Any, outside: str) -> str:
        """The base URI in a schema, given that around it (JSON Schema 2020-12, 8.2.1)."""
        identifier = schema.get("$id") if isinstance(schema, Mapping) else None
        if not isinstance(identifier, str) or (self.is_draft_7 and "$ref" in schema):
            return outside
        return _join(outside, identifier).partition("#")[0]

    def _index(self, place: Place) -> None:
        for keyword in ("$id", "$anchor", "$dynamicAnchor"):
            value = place.get(keyword)
            if not isinstance(value, str):
                continue
            anchor = value.partition("#")[2] if keyword == "$id" else value
            if anchor:
                self._anchors.setdefault((place.base, anchor), place)
            elif keyword == "$id":
                self._resources.setdefault(place.base, place)


def _named(keyword: str, value: Any) -> Iterable[tuple[str, Any]]:
    """What may be schemas in the value of a keyword, with their names."""
    if value is None:
        return ()
    if keyword in _BY_NAME and isinstance(value, Mapping):
        return value.items()
    if keyword in _SEVERAL and isinstance(value, list | tuple):
        return [(keyword, item) for item in value]
    return [(keyword, value)] if keyword in _ONE else ()


def _item(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list | tuple) and key.isdecimal() and int(key) < len(value):
        return value[int(key)]
    return None


def _join(base: str, reference: str) -> str:
    if reference.startswith("#"):  # urljoin knows no fragments of a urn:
        return base + reference
    try:
        return urljoin(base, reference)
    except ValueError:  # no URI, so it names nothing
        return reference
