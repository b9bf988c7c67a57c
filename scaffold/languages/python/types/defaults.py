"""Write the default of a property in Python, as a value of the property's type."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from uuid import UUID

from msgspec.structs import replace

from scaffold.languages.python.types.definitions import (
    Alias,
    Definition,
    Model,
    names_in,
    reached,
)
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    Union,
    literal,
    quoted,
)

_PARSERS: Mapping[str, Callable[[str], dt.date | dt.time]] = {
    "dt.date": dt.date.fromisoformat,
    "dt.datetime": dt.datetime.fromisoformat,
    "dt.time": dt.time.fromisoformat,
}


def fill_in(
    name: str,
    key: str,
    annotation: Expression,
    value: object,
    definitions: dict[str, Definition],
) -> None:
    """Set the default of a model's field, unless the default would contain itself.

    `annotation` is the type of the field when it is present.
    """
    model = definitions[name]
    assert isinstance(model, Model)
    (field,) = (each for each in model.fields if each.key == key)
    default = default_of(value, annotation, definitions)
    if default is None or name in reached(definitions, names_in(default), _in_defaults):
        return
    filled = replace(field, annotation=annotation, default=default)
    fields = tuple(filled if each is field else each for each in model.fields)
    definitions[name] = replace(model, fields=fields)


def _in_defaults(definition: Definition) -> Iterator[str]:
    """Yield the names that the defaults of a model mention."""
    for field in definition.fields if isinstance(definition, Model) else ():
        yield from () if field.default is None else names_in(field.default)


def default_of(
    value: object, annotation: Expression, known: Mapping[str, Definition]
) -> Expression | None:
    """Return the expression after the `=` of a field; None if no value of its type equals `value`.

    `known` are the definitions that the annotation may mention.
    """
    written = _written(value, annotation, known)
    match written:
        case Brackets("", "[", ()):
            factory: Expression = "list"
        case Brackets("", "{", ()):
            factory = "dict"
        case Brackets("", "[" | "{") | Brackets(Brackets()):  # each model gets its own
            factory = Labelled("lambda: ", written)
        case Brackets() if not known.keys().isdisjoint(names_in(written)):
            factory = Labelled("lambda: ", written)
        case _:
            return written
    return Brackets("Field", "(", (Labelled("default_factory=", factory),))


def _written(
    value: object, annotation: Expression, known: Mapping[str, Definition]
) -> Expression | None:
    """Return the expression of a value that has this type."""
    match annotation, value:
        case Union(members), _:
            candidates = (_written(value, member, known) for member in members)
            return next((element for element in candidates if element is not None), None)
        case Brackets("Literal", _, items), _:
            return next((element for element in _scalars(value) if element in items), None)
        case Brackets("list", _, (item,)), list():
            parts = [_written(element, item, known) for element in value]
            entries = tuple(part for part in parts if part is not None)
            return _display("[", entries, annotation, known) if len(entries) == len(value) else None
        case Brackets("dict", _, (_, item)), dict():
            pairs = {key: _written(element, item, known) for key, element in value.items()}
            entries = tuple(
                Labelled(f"{quoted(key)}: ", part)
                for key, part in pairs.items()
                if part is not None
            )
            return _display("{", entries, annotation, known) if len(entries) == len(value) else None
        case str(), _ if annotation in known:
            return _of_definition(value, known[annotation], known)
        case "Any", _:
            return literal(value)
        case "None", None:
            return "None"
        case ("bool", bool()) | ("str", str()):
            return literal(value)
        case "float", int() | float() if not isinstance(value, bool) and math.isfinite(value):
            return literal(value)
        case "int", int() | float() if not isinstance(value, bool):
            return next(
                (element for element in _scalars(value) if element.lstrip("-").isdigit()), None
            )
        case "UUID", str():
            with suppress(ValueError):
                return Brackets("UUID", "(", (quoted(str(UUID(value))),))
        case (("dt.date" | "dt.datetime" | "dt.time"), str()):
            with suppress(ValueError):
                text = _PARSERS[str(annotation)](value.upper()).isoformat()
                return Brackets(f"{annotation}.fromisoformat", "(", (quoted(text),))
    return None


def _scalars(value: object) -> Iterator[str]:
    """Yield the literals that a JSON value may have; 5.0 is 5 too."""
    if isinstance(value, float) and value.is_integer():
        yield repr(int(value))
    if value is None or isinstance(value, str | int | float):
        yield str(literal(value))


def _display(
    open_: str,
    items: tuple[Expression, ...],
    annotation: Brackets,
    known: Mapping[str, Definition],
) -> Expression:
    """Return a list or dictionary; if its type would be inferred wrongly, with that type."""
    display, item = Brackets("", open_, items), annotation.items[-1]
    is_plain = isinstance(item, str) and not isinstance(known.get(item), Alias)
    # `default_of` writes one without items in another way.
    is_inferred = (is_plain and item != "float") or not items
    return display if is_inferred else Brackets(annotation, "(", (display,))


def _of_definition(
    value: object, definition: Definition, known: Mapping[str, Definition]
) -> Expression | None:
    if isinstance(definition, Alias):
        return _written(value, definition.annotation, known)
    if not isinstance(value, dict) or any(
        field.default is None and field.key not in value for field in definition.fields
    ):
        return None
    names = dict(zip([each.key for each in definition.fields], definition.attributes, strict=True))
    keywords: list[Expression] = []
    for field in definition.fields:
        if field.key in value:
            part = _written(value[field.key], field.annotation, known)
            if part is None:
                return None
            keywords.append(Labelled(f"{field.key}=", part))
    if any(names.get(key) != key or not key[0].islower() for key in value):
        return Brackets(f"{definition.name}.model_validate", "(", (literal(value),))
    return Brackets(definition.name, "(", tuple(keywords))
