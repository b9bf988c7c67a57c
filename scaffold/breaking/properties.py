"""The properties that a schema describes, at each depth, with their texts and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from scaffold.breaking.parts import encoded
from scaffold.jsonschema.index import Index, Property
from scaffold.jsonschema.resolver import Subschema

_DEEPEST = 6
_MOST = 2000


class Described(NamedTuple):
    """What is said of a property: the pointer of its schema, its texts and its default as JSON.

    The default is the one that servers fill in, so that one in a branch of its schema or behind `$ref`
    is none.
    """

    at: str
    texts: tuple[str, ...]
    default: str | None
    is_required: bool


def described(index: Index) -> Mapping[tuple[str, ...], Described]:
    """Return the properties of a schema by the path of their names; `*` is an item of an array."""
    found: dict[tuple[str, ...], Described] = {}
    waiting: list[tuple[tuple[str, ...], list[Subschema]]] = [((), [index.root])]
    for path, schemas in waiting:  # grows
        if len(path) > _DEEPEST or len(found) > _MOST:
            continue
        applied = index.applied(*schemas, most=100)
        for one in index.properties(*schemas, most=100):
            inner = [*(one.schemas or one.variants)]
            if not inner:
                continue
            here = (*path, one.name)
            found[here] = _said(index, inner, one)
            if not all(map(index.is_leaf, inner)):
                waiting.append((here, inner))
        items = index.children_of(applied, "items")
        if items:
            waiting.append(((*path, "*"), items))
    return found


def _said(index: Index, schemas: list[Subschema], one: Property) -> Described:
    texts = [
        str(part.keywords[key])
        for part in index.applied(*schemas, most=100)
        for key in ("title", "description")
        if key in part.keywords
    ]
    default = next(map(encoded, index.default_of(replace(one, schemas=tuple(schemas)))), None)
    return Described(schemas[0].pointer, tuple(texts), default, one.required)
