"""Find the JSON types and values allowed by schemas that apply to the same value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scaffold.schema.resolver import Subschema


def types_of(applied: Sequence[Subschema]) -> tuple[str, ...] | None:
    """Return the JSON types that all of these schemas allow; None if none sets `type`."""
    stated = [texts(part.keywords["type"]) for part in applied if "type" in part.keywords]
    if not stated:
        return None
    common, *others = stated
    for other in others:
        common = [shared for name in common if (shared := _common(name, other))]
    return tuple(dict.fromkeys(common))


def values_of(applied: Sequence[Subschema]) -> Sequence[object] | None:
    """Return the values of an allowed type in the first `const` or `enum`, if any."""
    for part in applied:
        values = [part.keywords["const"]] if "const" in part.keywords else part.keywords.get("enum")
        if isinstance(values, list):
            types = types_of(applied)
            return [
                value
                for value in values
                if types is None or not {*types}.isdisjoint(json_types(value))
            ]
    return None


def json_types(value: object) -> tuple[str, ...]:
    """Return the JSON types of a value; 1.0 is an integer too (2020-12 Validation, 6.1.1)."""
    match value:
        case None:
            return ("null",)
        case bool():
            return ("boolean",)
        case int():
            return ("integer", "number")
        case float():
            return ("number", "integer") if value.is_integer() else ("number",)
        case str():
            return ("string",)
        case dict():
            return ("object",)
    return ("array",)


def texts(value: Any) -> list[str]:
    """Return the strings in a list, or a string as a list of one."""
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _common(name: str, others: Sequence[str]) -> str | None:
    """Return the intersection of a type with other types, or None."""
    if name in others or (name == "integer" and "number" in others):
        return name
    return "integer" if name == "number" and "integer" in others else None
