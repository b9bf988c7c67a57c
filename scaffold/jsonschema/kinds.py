"""Kinds of keywords in schemas, beyond those of plain objects, arrays and scalars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import HOLDERS
from scaffold.jsonschema.subschema import Subschema

_PLAIN = {"properties", "additionalProperties", "items", "$defs", "definitions", "contentSchema"}
_ALTERNATIVES = {"anyOf", "oneOf"}
_CONTENT = {"contentEncoding", "contentMediaType"}
_OTHERS = {"$id", "$ref", "$dynamicRef", "dependentRequired"}.union(*HOLDERS.values())
_OTHERS -= _PLAIN | _ALTERNATIVES


def keyword_kinds(schemas: Iterable[Index]) -> frozenset[str]:
    """Return the kinds of keywords that occur in schemas.

    `alternatives` are `anyOf` and `oneOf`. `content` are keywords and formats that the engine does
    not check in each dialect. `others` are references, conditions and all else that is not plain.
    """
    return frozenset(
        kind for schema in schemas for part in schema.all.values() for kind in _of(part, schema)
    )


def _of(part: Subschema, schema: Index) -> Iterator[str]:
    keywords = part.keywords.keys()
    if keywords & _ALTERNATIVES:
        yield "alternatives"
    is_old_uuid = schema.dialect == "draft-07" and part.keywords.get("format") == "uuid"
    if is_old_uuid or keywords & _CONTENT:
        yield "content"
    is_rest = part.keyword == "additionalProperties"
    is_odd = bool(part.keywords) if is_rest else part.schema is False
    if is_odd or keywords & _OTHERS or isinstance(part.keywords.get("items"), list):
        yield "others"
