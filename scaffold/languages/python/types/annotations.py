"""Convert JSON types and values to Python annotations, and combine annotations."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Union,
    literal,
    subscript,
)
from scaffold.schema.types import json_types

BY_TYPE: dict[str, Expression] = {
    "array": subscript("list", "Any"),
    "boolean": "bool",
    "integer": "int",
    "null": "None",
    "number": "float",
    "object": subscript("dict", "str", "Any"),
    "string": "str",
}
"""The annotation of a value if only its JSON type is known."""

BY_FORMAT: dict[str, Expression] = {
    "date": "dt.date",
    "date-time": "dt.datetime",
    "time": "dt.time",
    "uuid": "UUID",
}
"""The annotation of a string that must have a format."""

NUMBER = "int | float"
"""The annotation of a number that must not lose digits: `float` makes floats of integers too."""

_LONG = 40

_LARGEST = 2**63 - 1
"""The largest integer that mypy reads in a `Literal`."""


def of_values(values: Iterable[object]) -> Expression:
    """Return the annotation of a value that equals one of these JSON values.

    Strings, integers of 64 bits and booleans become `Literal`s. Other values become their type.
    """
    return union(
        subscript("Literal", literal(value))
        if isinstance(value, str) or (isinstance(value, int) and abs(value) <= _LARGEST)
        else BY_TYPE[json_types(value)[0]]
        for value in values
    )


def union(members: Iterable[Expression]) -> Expression:
    """Return the union without duplicates, None last; Never if there are no members.

    A string that may have one of several formats, or none, is a `str`.
    """
    alternatives: dict[Expression, None] = {}
    values: dict[Expression, None] = {}
    for member in members:
        for alternative in member.members if isinstance(member, Union) else (member,):
            if isinstance(alternative, Brackets) and alternative.head == "Literal":
                values |= dict.fromkeys(alternative.items)
            else:
                alternatives[alternative] = None
    if len(alternatives) == 1 and not values:
        return next(iter(alternatives))
    if "Any" in alternatives:
        return "Any"
    texts = [
        alternative for alternative in ("str", *BY_FORMAT.values()) if alternative in alternatives
    ]
    if len(texts) > 1:
        alternatives["str"] = None
        alternatives = {
            alternative: None
            for alternative in alternatives
            if alternative not in texts or alternative == "str"
        }
    of_values = {type for value in values for type in _base(value)}
    kinds = alternatives.keys() | of_values
    if values.keys() == {"True", "False"}:
        alternatives["bool"] = None
    elif "bool" in kinds and not kinds.isdisjoint(("int", "float", NUMBER)):
        # If one of them is a literal, pydantic takes 1 for True, or True for 1.
        alternatives |= dict.fromkeys(
            alternative for alternative in ("bool", "int") if alternative in of_values
        )
    if not alternatives.keys().isdisjoint(("float", NUMBER)):
        alternatives.pop("int", None)
    values = {value: None for value in values if _base(value).isdisjoint(alternatives)}
    has_none = "None" in alternatives
    flat = [
        *([subscript("Literal", *values)] if values else []),
        *(alternative for alternative in alternatives if alternative not in ("None", "Never")),
        *(["None"] if has_none else []),
    ]
    return Union(tuple(flat)) if len(flat) > 1 else flat[0] if flat else "Never"


def is_vague(annotation: Expression) -> bool:
    """Return whether an annotation does not describe the contents of a value."""
    return annotation in ("Any", BY_TYPE["array"], BY_TYPE["object"])


def is_long(annotation: Expression) -> bool:
    """Return whether an annotation is long enough to deserve a name."""
    match annotation:
        case Union() | Brackets("Literal"):
            return True
        case Brackets(items=items):
            return any(map(is_long, items)) or len(str(annotation)) > _LONG
    return False


def possible(annotation: Expression) -> Expression:
    """Return the annotation, or `Any` for `Never`, which no model can have."""
    return "Any" if annotation == "Never" else annotation


def narrowest(annotations: Iterable[Expression]) -> Expression:
    """Return the first of several types of one value that is not vague, or else the first."""
    return min(annotations, key=is_vague)


def _base(value: Expression) -> set[Expression]:
    """Return the annotations that already include the literal `value`."""
    if value in ("True", "False"):
        return {"bool"}
    return {"str"} if str(value)[0] in "\"'" else {"int", "float"}
