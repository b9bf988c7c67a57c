"""JSON as values of types: of the models of results, and of what functions take."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from .model import Model, plan

T = TypeVar("T")
Read: TypeAlias = "Callable[[Any], Any]"

# What `json` reads for the types that JSON has.
SCALARS: dict[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int, float),
    float: (int, float),
    NoneType: (NoneType,),
}
TEXTS: dict[Any, Callable[[str], Any]] = {
    bytes: str.encode,
    dt.date: dt.date.fromisoformat,
    dt.datetime: lambda text: dt.datetime.fromisoformat(text.upper()),
    dt.time: lambda text: dt.time.fromisoformat(text.upper()),
    Decimal: Decimal,
    Path: Path,
    UUID: UUID,
}
LISTS: dict[Any, Read] = {
    **dict.fromkeys((list, Collection, Iterable, Sequence), list),
    frozenset: frozenset,
    set: set,
    tuple: tuple,
}


def typed(kind: type[T], value: Any) -> T:
    """Return JSON as a value of a type. Raises ValueError if it does not fit."""
    read: T = reader(kind)(value)
    return read


def reader(kind: Any) -> Read:
    """Return the function that reads JSON as a type. Raises TypeError if none can."""
    origin, parts = get_origin(kind) or kind, get_args(kind)
    # What is inside a type that contains itself stays as it is, but for models.
    if (
        origin is Any
        or origin is object
        or isinstance(origin, str | ForwardRef | TypeVar)
    ):
        return lambda value: value
    if origin is Annotated:
        return reader(parts[0])
    if origin in TEXTS:
        return partial(from_text, TEXTS[origin])
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return partial(row, [reader(part) for part in parts])
    if origin in SCALARS:
        return partial(scalar, origin)
    if origin is Literal:
        return partial(chosen, [(one, one) for one in parts])
    if origin in (Union, UnionType):
        return either(parts)
    if origin in LISTS:
        return partial(items, LISTS[origin], reader(parts[0] if parts else Any))
    if origin in (dict, Mapping):
        return partial(values, reader(parts[1] if parts else Any))
    if is_a(Model, origin):
        return partial(model, origin)
    return of_functions(kind)


def of_functions(kind: Any) -> Read:
    """Return what reads types that only functions take."""
    for name in ("__supertype__", "__value__"):  # Another name for a type.
        if hasattr(kind, name):
            return reader(getattr(kind, name))
    if is_a(Enum, kind):
        return partial(chosen, [(item.value, item) for item in kind])
    if is_dataclass(kind) or is_typeddict(kind):
        return partial(instance, kind)
    if hasattr(kind, "model_validate"):  # Of pydantic.
        validate: Read = kind.model_validate
        return validate
    raise TypeError(
        f"{kind!r} cannot be made from JSON: use a type that JSON has, or a dataclass"
    )


def scalar(kind: type, value: Any) -> Any:
    expect(kind.__name__, isinstance(value, SCALARS[kind]))
    expect(kind.__name__, isinstance(value, bool) == (kind is bool))
    expect(kind.__name__, kind is not int or value == int(value))
    return kind(value) if kind in (int, float) else value


def chosen(choices: Iterable[tuple[Any, Any]], value: Any) -> Any:
    """Return what stands for a value; in JSON, unlike Python, true is not 1."""
    for one, choice in choices:
        if one == value and isinstance(one, bool) == isinstance(value, bool):
            return choice
    raise ValueError("one of the choices expected")


def items(make: Read, read: Read, value: Any) -> Any:
    expect("array", isinstance(value, list))
    return make(map(read, value))


def values(read: Read, value: Any) -> dict[str, Any]:
    expect("object", isinstance(value, dict))
    return {key: read(item) for key, item in value.items()}


def record(kind: Any, value: Any) -> dict[str, Any]:
    """Return an object whose properties have been read as the types that they have in a class."""
    expect("object", isinstance(value, dict))
    readers = readers_of(kind)
    return {k: readers[k](item) if k in readers else item for k, item in value.items()}


def model(kind: type[Model], value: Any) -> Any:
    """Return a model of an object, whose properties have the types that it names."""
    known = plan(kind)
    read = record(kind, value)
    expect(f"all that {kind.__name__} requires", is_whole(kind, read))
    made = kind(**{known[key].name: read[key] for key in known.keys() & read.keys()})
    vars(made)["model_extra"] = {k: v for k, v in read.items() if k not in known}
    return made


def is_whole(kind: type[Model], value: Mapping[str, Any]) -> bool:
    return all(key in value for key, one in plan(kind).items() if one.is_required)


def is_a(base: type, kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def expect(what: str, fits: bool) -> None:
    if not fits:
        raise ValueError(f"{what} expected")


def either(kinds: Iterable[Any]) -> Read:
    """Return the function that reads one of several types: as JSON has it, if it can.

    Of several models, it is the one with most of the properties.
    """
    models = [one for one in kinds if is_a(Model, one)]
    others = [one for one in kinds if one not in models]
    plain = [one for one in others if any(one is scalar for scalar in SCALARS)]
    readers = [
        reader(one) for one in (*plain, *(one for one in others if one not in plain))
    ]

    def read(value: Any) -> Any:
        if models and isinstance(value, dict):
            with suppress(ValueError):
                return model(max(models, key=partial(likeness, value)), value)
        for one in readers:
            with suppress(ValueError):
                return one(value)
        raise ValueError("a value of another type expected")

    return read


def likeness(value: dict[str, Any], kind: Any) -> int:
    """Return how many properties of a model an object has; -1 if it cannot be one."""
    kinds = kinds_of(kind)
    known = kinds.keys() & value.keys()
    tags = {
        key: get_args(kinds[key]) for key in known if get_origin(kinds[key]) is Literal
    }
    can_be = is_whole(kind, value) and all(value[key] in tags[key] for key in tags)
    return len(known) if can_be else -1


def from_text(read: Callable[[str], Any], value: Any) -> Any:
    try:
        return read(str(value))
    except ArithmeticError:  # Of decimals.
        raise ValueError("decimal number expected") from None


def row(readers: Sequence[Read], value: Any) -> tuple[Any, ...]:
    expect("array", isinstance(value, list))
    return tuple(read(item) for read, item in zip(readers, value, strict=True))


def instance(kind: Any, value: Any) -> Any:
    read = record(kind, value)
    try:
        return kind(**read)
    except TypeError as error:
        raise ValueError(str(error)) from None


@cache
def readers_of(kind: Any) -> Mapping[str, Read]:
    """Return what reads the properties of an object."""
    return {key: reader(one) for key, one in kinds_of(kind).items()}


@cache
def kinds_of(kind: Any) -> Mapping[str, Any]:
    """Return the types of the properties of an object."""
    hints = get_type_hints(kind)
    if is_a(Model, kind):
        return {key: hints[one.name] for key, one in plan(kind).items()}
    if is_dataclass(kind):
        return {one.name: hints[one.name] for one in fields(kind)}
    return hints
