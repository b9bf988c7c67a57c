"""What schemas that apply to a value say of it directly: kinds, bounds and sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scaffold.breaking.schemas.parts import Part

KINDS = ("null", "boolean", "number", "string", "array", "object")

_ALL = frozenset(KINDS)


class Name(NamedTuple):
    """A property's name, or all names that match some patterns and none of the others.

    Such names are none of those in the schemas at hand.
    """

    text: str | None
    matched: frozenset[str]


class Facts(NamedTuple):
    """What claims say of a value directly: schemas that it fits, and others that it does not.

    `kinds` are those that the types allow.
    """

    fits: tuple[Part, ...]
    misses: tuple[Part, ...]
    kinds: frozenset[str]


def types(part: Part) -> list[str]:
    """Return the types that a schema names."""
    stated = part.keywords["type"]
    return [stated] if isinstance(stated, str) else list(stated)


def kinds_of(parts: Iterable[Part]) -> frozenset[str]:
    """Return the kinds that the types of all schemas allow."""
    found = _ALL
    for part in parts:
        if "type" in part.keywords:
            found &= {"number" if name == "integer" else name for name in types(part)}
    return found


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
    return "array"


def positions(part: Part) -> tuple[int, str | None]:
    """Return how many items have a schema of their own, and the keyword of the others."""
    keywords = part.keywords
    items = keywords.get("items")
    if isinstance(items, list):
        return len(items), "additionalItems" if "additionalItems" in keywords else None
    return len(keywords.get("prefixItems", ())), "items" if "items" in keywords else None


def contained(part: Part) -> tuple[float, float | None]:
    return part.keywords.get("minContains", 1), part.keywords.get("maxContains")


def least_of(facts: Facts, keyword: str) -> float:
    return max((part.keywords.get(keyword, 0) for part in facts.fits), default=0)


def most_of(facts: Facts, keyword: str) -> float | None:
    return min(
        (part.keywords[keyword] for part in facts.fits if keyword in part.keywords), default=None
    )


def bound(facts: Facts, sign: int) -> tuple[float, bool] | None:
    """Return the greatest lower bound, and whether it is excluded; with sign -1, of -x."""
    closed, opened = (
        ("minimum", "exclusiveMinimum") if sign == 1 else ("maximum", "exclusiveMaximum")
    )
    found = [
        (sign * part.keywords[keyword], keyword == opened)
        for part in facts.fits
        for keyword in (closed, opened)
        if keyword in part.keywords
    ]
    return max(found, default=None)
