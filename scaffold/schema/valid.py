"""Make up arguments that a schema accepts, to try tools that have no examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from scaffold.schema.index import Index
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of, values_of

_DEEPEST = 8
_TRIES = 20

_TEXTS: Mapping[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "email": "ada@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "time": "12:00:00Z",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
"""A text of each format; they are also tried where a pattern is to match."""


def valid_arguments(index: Index) -> dict[str, Any] | None:
    """Return simple arguments that the schema accepts, or None if none were found."""
    tried = islice(_Samples(index).values([index.root]), _TRIES)
    found = (value for value in tried if isinstance(value, dict))
    return next((value for value in found if index.validator.is_valid(value)), None)


class _Samples:
    """Values that probably fit schemas, the simplest first; none is checked."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def values(
        self, schemas: Sequence[Subschema], depth: int = 0, chosen: frozenset[str] = frozenset()
    ) -> Iterator[Any]:
        """Yield values for all of these schemas; `chosen` are those whose branch is among them."""
        applied = self._index.applied(*schemas, most=100)
        if depth == _DEEPEST or any(part.schema is False for part in applied):
            return
        stated: dict[str, Any] = {}
        for part in reversed(applied):
            stated |= part.keywords
        if depth and "default" in stated:
            yield stated["default"]
        if isinstance(examples := stated.get("examples"), list):
            yield from examples[:1]
        if (values := values_of(applied)) is not None:
            yield from values
            return
        for part in applied:
            branches = self._index.children(part, "anyOf", "oneOf")
            if branches and part.pointer not in chosen:
                for branch in branches:
                    with_branch = chosen | {part.pointer}
                    yield from self.values([*applied, branch], depth, with_branch)
                return
        for kind in types_of(applied) or ("string", "object"):
            match kind:
                case "object":
                    yield from self._objects(applied, depth)
                case "array":
                    yield from self._arrays(applied, stated, depth)
                case "string":
                    yield from self._texts(applied, stated)
                case "integer" | "number":
                    yield _number(stated)
                case "boolean":
                    yield False
                case "null":
                    yield None

    def _objects(self, applied: Sequence[Subschema], depth: int) -> Iterator[dict[str, Any]]:
        """Yield an object of what is required, and then one with whatever it can have."""
        members = self._index.properties(*applied)
        for every in (False, True):
            made: dict[str, Any] = {}
            for one in members:
                if one.required or every:
                    schemas = one.schemas or one.variants[:1]
                    values = self.values(schemas, depth + 1) if schemas else iter(["a"])
                    made |= dict(zip([one.name], values, strict=False))
            yield made

    def _arrays(
        self, applied: Sequence[Subschema], stated: Mapping[str, Any], depth: int
    ) -> Iterator[list[Any]]:
        least = min(int(stated.get("minItems", 0)), 100)
        items = [item for part in applied for item in self._index.items(part)]
        values = list(islice(self.values(items, depth + 1), least)) if items else ["a"]
        yield [values[min(at, len(values) - 1)] for at in range(least) if values]

    def _texts(self, applied: Sequence[Subschema], stated: Mapping[str, Any]) -> Iterator[str]:
        least, most = min(int(stated.get("minLength", 0)), 1000), int(stated.get("maxLength", 7))
        if text := _TEXTS.get(str(stated.get("format"))):
            yield text
        elif "pattern" in stated:
            for text in ("a", "1", "A", "AB-1", "a/a", "a.a", "/a", "0" * least, *_TEXTS.values()):
                if all(self._index.accepts(part, text) for part in applied):
                    yield text
        else:
            yield "example"[:most].ljust(least, "x")


def _number(stated: Mapping[str, Any]) -> int | float:
    """Return a number within its bounds, the smallest if it has a lower one."""
    step = stated.get("multipleOf", 1)
    if "minimum" in stated:
        return _whole(-(-stated["minimum"] // step) * step)
    if "exclusiveMinimum" in stated:
        return _whole((stated["exclusiveMinimum"] // step + 1) * step)
    most = stated.get("maximum", stated.get("exclusiveMaximum", step + 1) - step)
    return _whole(min(step, most // step * step))


def _whole(number: float) -> int | float:
    return int(number) if isinstance(number, float) and number.is_integer() else number
