"""Human-readable descriptions of the properties of an object schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics.wording import cut
from scaffold.schema.index import Index, Property
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of, values_of

MAX_LENGTH = 200
"""The maximum length of the description of a list item or an alternative."""

MAX_LIMIT_LENGTH = 80
"""The maximum length of a limit, such as a pattern."""

NOTHING = "not allowed"
"""The description of a type that allows no value."""

NESTED = 100
"""The maximum number of nested properties described."""

STEPS = 1000
"""The maximum number of values read to find the nested properties of one property."""

FAR = 100
"""The maximum number of schemas read to describe one value."""

_VAGUE = ("any", "array of any", "object")
"""Types that say nothing about the contents of a value."""

_RANGES = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
)

_LIMITS = {
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "pattern": "matches {}",
    "format": "format {}",
    "contentEncoding": "encoding {}",
    "contentMediaType": "media type {}",
}


class Description(Struct, frozen=True):
    """A property in words: its type, its limits and default, and the author's description."""

    name: str
    type: str
    required: bool
    notes: str
    description: str


def describe(index: Index) -> tuple[Description, ...]:
    """Return descriptions of the properties of an object schema, in its order.

    Each is followed by those of the properties in its value. Their names are paths, such as
    `filter.since`, `posts[].title`, or `[].title` in a list. Properties that the schema does not
    name have the name `*`.
    """
    words = _Words(index)
    named = tuple(
        row
        for member in index.members
        for row in (
            _described(index, member, words),
            *islice(_nested(index, member.name, member.schemas or member.variants, words), NESTED),
        )
    )
    root = index.applied(index.root, most=FAR)
    listed = islice(_listed(index, "", root, words, (), iter(range(STEPS))), NESTED)
    return (*named, *_unnamed(index, words), *listed)


def describe_type(index: Index) -> str:
    """Return the type of the values of a schema, such as `array of string`."""
    return _Words(index).all_of(index.root)


def _unnamed(index: Index, words: _Words) -> Iterator[Description]:
    """Yield descriptions of the properties that the schema itself allows under other names."""
    applied = index.applied(index.root, most=FAR)
    patterns = index.children_of(applied, "patternProperties")
    others = index.children_of(applied, "additionalProperties")
    is_map = not (index.members or patterns)
    names = {
        **{part: f"any name that matches {part.name}" for part in patterns},
        **{
            part: "any name" if is_map else "any other name"
            for part in others
            if is_map or part.schema not in (True, {})
        },
    }
    for part, which in names.items():
        row = _described(index, Property("*", (part,), (), False), words)
        if row.type != NOTHING:
            yield replace(row, notes=f"{which}, {row.notes}" if row.notes else which)


def _nested(
    index: Index,
    path: str,
    schemas: Sequence[Subschema],
    words: _Words,
    above: tuple[str, ...] = (),
    steps: Iterator[int] | None = None,
) -> Iterator[Description]:
    """Yield descriptions of the properties in a value, except those of a type within itself."""
    steps = steps or iter(range(STEPS))
    if all(map(index.is_leaf, schemas)) or next(steps, None) is None:
        return
    applied = index.applied(*schemas, most=FAR)
    if not {part.pointer for part in applied}.isdisjoint(above):
        return
    above = (*above, *(part.pointer for part in applied))
    parts = [*applied, *index.branches(applied)]
    for member in index.properties(*applied, most=FAR):
        yield replace(_described(index, member, words), name=f"{path}.{member.name}")
        inner = member.schemas or member.variants
        yield from _nested(index, f"{path}.{member.name}", inner, words, above, steps)
    yield from _listed(index, path, parts, words, above, steps)


def _listed(
    index: Index,
    path: str,
    parts: Iterable[Subschema],
    words: _Words,
    above: tuple[str, ...],
    steps: Iterator[int],
) -> Iterator[Description]:
    """Yield descriptions of the properties in the items of a list."""
    for item in [item for part in parts for item in index.items(part)]:
        yield from _nested(index, f"{path}[]", [item], words, above, steps)


def _described(index: Index, member: Property, words: _Words) -> Description:
    schemas = member.schemas or member.variants
    applied = index.applied(*schemas, most=FAR)
    # Annotations count everywhere, even next to a `$ref` of draft-07.
    stated = [*schemas, *applied]
    texts = (part.keywords.get("description") for part in stated)
    return Description(
        name=member.name,
        type=words.all_of(*member.schemas) if member.schemas else words.any_of(member.variants),
        required=member.required,
        notes=", ".join(_notes(member, applied if member.schemas else ())),
        description=next((text for text in texts if isinstance(text, str) and text), ""),
    )


def _notes(member: Property, applied: Sequence[Subschema]) -> Iterator[str]:
    limits: dict[str, Any] = {}
    for part in reversed(applied):
        limits |= part.keywords
    for least, most, noun in _RANGES:
        if least in limits or most in limits:
            yield _range(limits.get(least), limits.get(most), noun)
    for keyword, words in _LIMITS.items():
        if keyword in limits:
            yield words.format(cut(str(limits[keyword]), MAX_LIMIT_LENGTH))
    defaults = [part.keywords["default"] for part in member.schemas if "default" in part.keywords]
    if defaults:
        yield f"default {_json(defaults[0])}"


def _range(least: Any, most: Any, noun: str) -> str:
    """Return a range in words, such as `1 to 64 characters`; either end may be None."""
    if most is None:
        words = f"at least {least}"
    elif least is None:
        words = f"at most {most}"
    elif least == most:
        words = f"exactly {least}"
    else:
        words = f"{least} to {most}" if noun else f"from {least} to {most}"
    if not noun:
        return words
    return f"{words} {noun}" if (least if most is None else most) == 1 else f"{words} {noun}s"


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
        words = (self._array(applied) if name == "array" else name for name in types)
        return " or ".join(words) or NOTHING

    def any_of(self, schemas: Iterable[Subschema]) -> str:
        """Return the type of a value to which one of these schemas applies."""
        alternatives = dict.fromkeys(map(self._inner, schemas))
        if not alternatives or "any" in alternatives:
            return "any"
        return " or ".join(text for text in alternatives if text != NOTHING) or NOTHING

    def _inner(self, schema: Subschema) -> str:
        """Return the type of a schema; `any` if it is long, or nested in itself."""
        if schema.pointer not in self._known:
            self._known[schema.pointer] = "any"
            text = self.all_of(schema)
            self._known[schema.pointer] = text if len(text) <= MAX_LENGTH else "any"
        return self._known[schema.pointer]

    def _array(self, applied: Sequence[Subschema]) -> str:
        for part in applied:
            items = self.any_of(self._index.items(part))
            if items != "any":
                return f"array of ({items})" if " or " in items else f"array of {items}"
        return "array of any"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
