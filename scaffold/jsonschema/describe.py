"""Human-readable descriptions of the properties of an object schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from scaffold.jsonschema.index import Index, Property
from scaffold.jsonschema.subschema import Subschema
from scaffold.jsonschema.types import types_of, values_of

LONGEST = 200
"""The maximum length of the description of a list item or an alternative."""

NOTHING = "not allowed"
"""The description of a type that allows no value."""

NESTED = 100
"""The maximum number of nested properties described."""

FAR = 100
"""The maximum number of schemas read to describe one value."""

_VAGUE = ("any", "array of any", "object")
"""Types that say nothing about the contents of a value."""

_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "pattern": "matches {}",
    "format": "format {}",
    "contentEncoding": "encoding {}",
    "contentMediaType": "media type {}",
    "minItems": "items: at least {}",
    "maxItems": "items: at most {}",
}


@dataclass(frozen=True, slots=True)
class Description:
    """A property in words: its type, its limits, and the author's description."""

    name: str
    type: str
    required: bool
    notes: str
    text: str


def describe(index: Index) -> tuple[Description, ...]:
    """Return descriptions of the properties of an object schema, in its order."""
    words = _Words(index)
    return tuple(_described(index, one, words) for one in index.members)


def describe_nested(index: Index) -> tuple[Description, ...]:
    """Return descriptions as `describe`, each followed by those of the properties in its value.

    Their names are paths, such as `filter.since` or `posts[].title`.
    """
    words = _Words(index)
    return tuple(
        row
        for one in index.members
        for row in (
            _described(index, one, words),
            *islice(_nested(index, one.name, one.schemas or one.variants, words, ()), NESTED),
        )
    )


def _nested(
    index: Index,
    path: str,
    schemas: Iterable[Subschema],
    words: _Words,
    above: tuple[str, ...],
) -> Iterator[Description]:
    """Yield descriptions of the properties in a value, except those of a type within itself."""
    applied = index.applied(*schemas, most=FAR)
    if not {part.pointer for part in applied}.isdisjoint(above):
        return
    above = (*above, *(part.pointer for part in applied))
    parts = [*applied, *index.branches(applied)]
    for one in index.properties(*applied):
        yield replace(_described(index, one, words), name=f"{path}.{one.name}")
        inner = one.schemas or one.variants
        yield from _nested(index, f"{path}.{one.name}", inner, words, above)
    for item in [item for part in parts for item in index.items(part)]:
        yield from _nested(index, f"{path}[]", [item], words, above)


def _described(index: Index, one: Property, words: _Words) -> Description:
    schemas = one.schemas or one.variants
    # Annotations count everywhere, even next to a `$ref` of draft-07.
    stated = [*schemas, *index.applied(*schemas, most=FAR)]
    texts = (part.keywords.get("description") for part in stated)
    return Description(
        name=one.name,
        type=words.all_of(*one.schemas) if one.schemas else words.any_of(one.variants),
        required=one.required,
        notes=", ".join(_notes(index, one)),
        text=next((text for text in texts if isinstance(text, str) and text), ""),
    )


def _notes(index: Index, one: Property) -> Iterator[str]:
    applied = [part.keywords for part in index.applied(*one.schemas, most=FAR)]
    for keyword, words in _LIMITS.items():
        for keywords in applied:
            if keyword in keywords:
                yield words.format(keywords[keyword])
                break
    defaults = [part.keywords["default"] for part in one.schemas if "default" in part.keywords]
    if defaults:
        yield f"default {_json(defaults[0])}"


class _Words:
    """Short descriptions of schemas: a type, the values of an enum, or alternatives."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[str, str] = {}

    def all_of(self, *schemas: Subschema) -> str:
        """Return the type of a value to which all of these schemas apply."""
        applied = self._index.applied(*schemas, most=FAR)
        if any(part.schema is False for part in applied):
            return NOTHING
        types = types_of(applied)
        values = values_of(applied)
        if values is not None:
            return " or ".join(map(_json, values)) or NOTHING
        if types is None or not self._index.children_of(applied, "properties"):
            for keyword in ("anyOf", "oneOf"):
                for part in applied:
                    alternatives = self.any_of(self._index.children(part, keyword))
                    if alternatives not in (("any",) if types is None else _VAGUE):
                        return alternatives
        if types is None:
            return "any"
        words = (self._array(applied) if one == "array" else one for one in types)
        return " or ".join(words) or NOTHING

    def any_of(self, schemas: Iterable[Subschema]) -> str:
        """Return the type of a value to which one of these schemas applies."""
        alternatives = dict.fromkeys(map(self._inner, schemas))
        if not alternatives or "any" in alternatives:
            return "any"
        return " or ".join(one for one in alternatives if one != NOTHING) or NOTHING

    def _inner(self, schema: Subschema) -> str:
        """Return the type of a schema; `any` if it is long, or nested in itself."""
        if schema.pointer not in self._known:
            self._known[schema.pointer] = "any"
            text = self.all_of(schema)
            self._known[schema.pointer] = text if len(text) <= LONGEST else "any"
        return self._known[schema.pointer]

    def _array(self, applied: Sequence[Subschema]) -> str:
        for part in applied:
            items = self.any_of(self._index.items(part))
            if items != "any":
                return f"array of ({items})" if " or " in items else f"array of {items}"
        return "array of any"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
