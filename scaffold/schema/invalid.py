"""Find arguments that a schema rejects, for tests of the generated server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.schema.index import Index, Property
from scaffold.schema.types import types_of, values_of

# The number is last: numeric schemas reject strings, and few others accept numbers.
_ODD_VALUES: tuple[object, ...] = (None, True, [], {}, "", "?", -1.5)

_FORMATTED: Mapping[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "email": "ada@example.org",
    "time": "12:00:00Z",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_SIMPLE: Mapping[str, object] = {
    "string": "example",
    "boolean": False,
    "array": [],
    "object": {},
}


def invalid_arguments(index: Index) -> dict[str, Any] | None:
    """Return simple arguments that the schema rejects, or None if none were found.

    If they can, they break a `format` alone: engines do not look at formats unless they are told.
    """
    return next(
        (tried for tried in _candidates(index) if not index.validator.is_valid(tried)), None
    )


def _candidates(index: Index) -> Iterator[dict[str, Any]]:
    formatted = [m.name for m in index.members if any("format" in s.keywords for s in m.schemas)]
    least = {one.name: _simple(index, one) for one in index.members if one.required}
    if formatted and index.validator.is_valid(least):
        yield from ({**least, name: "?"} for name in formatted)
    yield {}
    yield {"no_such_argument": True}
    for one in index.members:
        for value in _ODD_VALUES:
            yield {one.name: value}


def _simple(index: Index, one: Property) -> object:
    """Return a value that a property probably has."""
    applied = index.applied(*one.schemas, most=100)
    stated = {key: value for part in applied for key, value in part.keywords.items()}
    if values := values_of(applied):
        return values[0]
    if (format := str(stated.get("format"))) in _FORMATTED:
        return _FORMATTED[format]
    first, *_ = types_of(applied) or ("string",)
    return stated.get("minimum", 1) if first in ("integer", "number") else _SIMPLE.get(first)
