"""JSON as values of types: those of models, and of what users write themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

Read = Callable[[Any], Any]
SCALARS = (str, bool, int, float, NoneType)


def reader(kind: Any, names: Mapping[str, Any] = {}) -> Read:
    """Return what makes a value of a type from JSON. It raises ValueError for other JSON.

    `names` has what a text in a type stands for. Raises TypeError for a type that JSON has not.
    """
    origin, parts = get_origin(kind) or kind, get_args(kind)
    read = partial(reader, names=names)
    if isinstance(kind, str | ForwardRef):  # It may contain itself: look it up later.
        later = cache(lambda: read(resolved(kind, names)))
        return lambda value: later()(value)
    if kind is Any or kind is object:
        return lambda value: value
    if kind is None or kind in SCALARS:
        return partial(scalar, kind or NoneType)
    if origin is Literal:
        return partial(chosen, [(part, part) for part in parts])
    if hasattr(kind, "__members__"):  # An enum.
        return partial(chosen, [(member.value, member) for member in kind])
    if origin in (Union, UnionType):
        return partial(either, [(part, read(part)) for part in parts])
    if origin in (list, Sequence):
        return partial(items, read(parts[0] if parts else Any))
    if origin in (dict, Mapping):
        return partial(values, read(parts[1] if parts else Any))
    if hasattr(kind, "likeness"):
        validate: Read = kind.model_validate
        return validate
    if from_iso := getattr(kind, "fromisoformat", None):  # A date, a time, or both.
        return partial(from_text, lambda text: from_iso(text.upper()))
    if is_of(kind, "uuid", "UUID"):
        return partial(from_text, kind)
    raise TypeError(f"{kind!r} cannot be made from JSON: use a type that JSON has")


def resolved(hint: Any, names: Mapping[str, Any]) -> Any:
    """Return the type that an annotation stands for, of which parts may be texts."""
    while isinstance(hint, str | ForwardRef):
        text = hint if isinstance(hint, str) else hint.__forward_arg__
        try:
            hint = eval(text, {}, Aliases(names))
        except NameError:
            return Any
    return hint


class Aliases(dict[str, Any]):
    """The names of a module, where a type that contains itself is a text."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def __missing__(self, name: str) -> Any:
        value = self.names[name]
        return ForwardRef(value) if isinstance(value, str) else value


def literals(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def expect(fits: bool, kind: Any) -> None:
    if not fits:
        raise ValueError(f"{getattr(kind, '__name__', kind)} expected")


def is_of(kind: Any, module: str, name: str) -> bool:
    """Return whether a type is that of a module, which is not imported for that."""
    return getattr(kind, "__module__", "") == module and kind.__name__ == name


def scalar(kind: Any, value: Any) -> Any:
    """Return a value as Python has it: in JSON, 1 and 1.0 are the same, and true is none."""
    if type(value) is kind:
        return value
    is_whole = type(value) is int or (type(value) is float and value.is_integer())
    expect(kind in (int, float) and (is_whole or type(value) is kind), kind)
    return kind(value)


def chosen(choices: Iterable[tuple[Any, Any]], value: Any) -> Any:
    for expected, choice in choices:
        if expected == value and isinstance(expected, bool) == isinstance(value, bool):
            return choice
    raise ValueError("one of the choices expected")


def from_text(read: Callable[[str], Any], value: Any) -> Any:
    expect(isinstance(value, str), str)
    return read(value)


def items(read: Read, value: Any) -> list[Any]:
    expect(isinstance(value, list), list)
    return [*map(read, value)]


def values(read: Read, value: Any) -> dict[str, Any]:
    expect(isinstance(value, dict), dict)
    return {key: read(item) for key, item in value.items()}


def either(kinds: list[tuple[Any, Read]], value: Any) -> Any:
    """Return a value of one of several types: as it is if it can be, or of the likest model."""
    if any(kind is type(value) for kind, _ in kinds):
        return value
    rows = kinds
    if isinstance(value, dict):
        ranks = [
            (getattr(kind, "likeness", lambda _: 0)(value), read)
            for kind, read in kinds
        ]
        best = sorted(ranks, key=lambda row: row[0], reverse=True)
        rows = [row for row in best if row[0] >= 0]
    first: ValueError | None = None
    for _, read in rows:
        try:
            return read(value)
        except ValueError as error:
            first = first or error
    raise first or ValueError("one of the models expected")
