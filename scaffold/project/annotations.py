"""What JSON values, alternatives and conjunctions of JSON types are as Python annotations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from scaffold.project.layout import Brackets, Expression, Union, literal, subscript

BY_TYPE: dict[str, Expression] = {
    "array": subscript("list", "Any"),
    "boolean": "bool",
    "integer": "int",
    "null": "None",
    "number": "float",
    "object": subscript("dict", "str", "Any"),
    "string": "str",
}
"""JSON type to the annotation of a value of which no more is known."""

_LONG = 40


def of_values(values: Iterable[object], types: Collection[str] | None = None) -> Expression:
    """The type of what equals one of these JSON values, and is of one of these JSON types if given.

    Strings, integers, booleans and null are literals; anything else is known by its type.
    """
    alternatives: list[Expression] = []
    for value in values:
        known, *wider = _json_types(value)
        if types is None or known in types or any(one in types for one in wider):
            is_literal = isinstance(value, int | str)
            alternatives.append(
                subscript("Literal", literal(value)) if is_literal else BY_TYPE[known]
            )
    return union(alternatives)


def union(members: Iterable[Expression]) -> Expression:
    """The type of what is of any of these types: each once, None last; of none it is Never."""
    alternatives: dict[Expression, None] = {}
    values: dict[Expression, None] = {}
    for member in members:
        for one in member.members if isinstance(member, Union) else (member,):
            match one:
                case Brackets("Literal", _, items):
                    values |= dict.fromkeys(items)
                case _:
                    alternatives[one] = None
    if "Any" in alternatives:
        return "Any"
    if {"True", "False"} <= values.keys():
        alternatives["bool"] = None
    if "float" in alternatives:
        alternatives.pop("int", None)
    values = {value: None for value in values if _base(value).isdisjoint(alternatives)}
    has_none = "None" in alternatives
    flat = [
        *([subscript("Literal", *values)] if values else []),
        *(one for one in alternatives if one not in ("None", "Never")),
        *(["None"] if has_none else []),
    ]
    return Union(tuple(flat)) if len(flat) > 1 else flat[0] if flat else "Never"


def common_types(stated: Sequence[str | Sequence[str]]) -> tuple[str, ...] | None:
    """The JSON types that the values of several `type` keywords all allow; None without any."""
    if not stated:
        return None
    first, *others = [[types] if isinstance(types, str) else types for types in stated]
    numbers = {"integer", "number"}
    return tuple(
        t for t in first if all(t in o or (t in numbers and numbers & {*o}) for o in others)
    )


def is_vague(annotation: Expression) -> bool:
    """Whether an annotation says nothing of what a value holds."""
    return annotation in ("Any", BY_TYPE["array"], BY_TYPE["object"])


def is_long(annotation: Expression) -> bool:
    """Whether an annotation is better read under a name of its own."""
    match annotation:
        case Union() | Brackets("Literal"):
            return True
        case Brackets(items=items):
            return any(map(is_long, items)) or len(str(annotation)) > _LONG
    return False


def narrowest(annotations: Iterable[Expression]) -> Expression:
    """Of types that a value has all at once, the first that is not vague, or else the first."""
    return min(annotations, key=is_vague)


def _json_types(value: object) -> tuple[str, ...]:
    """The JSON types of a value, that of its annotation first; 1.0 is an integer (2020-12, 6.1.1)."""
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


def _base(value: Expression) -> set[Expression]:
    """The annotations that say already what the literal `value` would."""
    if value in ("True", "False"):
        return {"bool"}
    return {"str"} if str(value)[0] in "\"'" else {"int", "float"}
