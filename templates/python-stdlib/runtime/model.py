"""Frozen dataclasses for JSON: what handlers get, and what they return."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Any,
    ForwardRef,
    Literal,
    NamedTuple,
    Self,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
)

Read = Callable[[Any], Any]
SCALARS = (bool, int, float, str)
ABSENT: Any = object()
"""The default of what is left out if it is None, because it cannot be null."""


def Field(
    *,
    key: str | None = None,
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """Return what a property has besides its type: another name, or a default that is made."""
    about = {} if key is None else {"key": key}
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=about)
    if default is ABSENT:
        return field(default=None, metadata={**about, "absent": True})
    return field(default=default, metadata=about)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(Field,)
)
class Model:
    """An object that fits its schema, with its properties as attributes: a frozen dataclass.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    Of a result, only the attributes that were set are sent.
    """

    model_fields_set: set[str]
    model_extra: dict[str, Any]
    """Properties that the schema does not name."""

    def __new__(cls, **named: Any) -> Self:
        complete(cls)
        made = super().__new__(cls)
        vars(made).update(model_fields_set={*named}, model_extra={})
        return made

    @classmethod
    def model_validate(cls, data: Mapping[str, Any]) -> Self:
        """Return a model of JSON that fits the schema: nothing is checked here."""
        known, given = plan(cls), dict[str, Any]()
        extra = {}
        for key, value in data.items():
            if entry := known.get(key):
                given[entry.name] = entry.read(value) if entry.read else value
            else:
                extra[key] = value
        made = cls(**given)
        vars(made)["model_extra"] = extra
        return made

    def model_dump(self) -> dict[str, Any]:
        """Return the properties that were set as JSON."""
        told = dict[str, Any]()
        for key, entry in plan(type(self)).items():
            value = getattr(self, entry.name)
            is_sent = entry.name in self.model_fields_set
            if is_sent and not (value is None and entry.is_left_out):
                told[key] = plain(value)
        return {**told, **plain(self.model_extra)}

    @classmethod
    def key_of(cls, attribute: str, key: str | None) -> str:
        """Return the property that an attribute is for."""
        return attribute if key is None else key


def complete(model: type) -> None:
    """Make dataclasses of a model and its bases: at its first use, because it takes long."""
    for one in reversed(model.__mro__[: model.__mro__.index(Model)]):
        if "__dataclass_fields__" not in vars(one) and issubclass(one, Model):
            for name, default in [*vars(one).items()]:
                if default is ABSENT:
                    setattr(one, name, Field(default=ABSENT))
            dataclass(frozen=True, kw_only=True)(one)


class Block(Model):
    """A content block; `content.py` has them all, and is imported where they are used."""


class WholeResult(Model):
    """A result of a tool as it is sent."""

    is_error: bool


class Entry(NamedTuple):
    """What is done with a property: the name of its attribute, and how it is read."""

    name: str
    read: Read | None
    fits: Callable[[Any], bool]
    is_required: bool
    is_left_out: bool
    """Whether None is not sent, since the property cannot be null."""


PLANS: dict[type[Model], dict[str, Entry]] = {}


def plan(model: type[Model]) -> dict[str, Entry]:
    """Return the properties of a model, by their names in JSON."""
    if model not in PLANS:
        complete(model)
        names = {
            key: value
            for one in reversed(model.__mro__)
            for key, value in vars(sys.modules[one.__module__]).items()
        }
        made = {}
        for one in fields(cast("Any", model)):
            made[model.key_of(one.name, one.metadata.get("key"))] = Entry(
                one.name,
                reader(resolved(one.type, names), names),
                partial(fits, one.type, names),
                one.default is MISSING and one.default_factory is MISSING,
                "absent" in one.metadata,
            )
        PLANS[model] = made
    return PLANS[model]


def resolved(hint: Any, names: dict[str, Any]) -> Any:
    """Return the type that an annotation stands for, of which parts may be texts."""
    while isinstance(hint, str | ForwardRef):
        text = hint if isinstance(hint, str) else hint.__forward_arg__
        hint = eval(text, names, Aliases(names))
    return hint


class Aliases(dict[str, Any]):
    """The names of a module, where a type that contains itself is a text."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def __missing__(self, name: str) -> Any:
        value = self.names[name]
        return ForwardRef(value) if isinstance(value, str) else value


def reader(hint: Any, names: dict[str, Any]) -> Read | None:
    """Return what makes a value of a type from JSON; None if it is the same."""
    if isinstance(hint, str | ForwardRef):  # It may contain itself: look it up later.
        later = cache(lambda: reader(resolved(hint, names), names) or same)
        return lambda value: later()(value)
    if isinstance(hint, type) and issubclass(hint, Model):
        return hint.model_validate
    if hint is int or hint is float:
        return lambda value: hint(value) if fits(float, names, value) else value
    if is_of(hint, "datetime", "date", "datetime", "time"):
        return lambda value: hint.fromisoformat(value.upper())
    if is_of(hint, "uuid", "UUID"):
        return cast("Read", hint)
    kind, parts = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return choice(parts, names)
    each = reader(parts[-1], names) if kind in (list, dict) else None
    return each and partial(read_each, each)


def same(value: Any) -> Any:
    return value


def read_each(read: Read, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: read(item) for key, item in value.items()}
    return [read(item) for item in value] if isinstance(value, list) else value


def is_of(hint: Any, module: str, *names: str) -> bool:
    """Return whether a type is one of a module, which is not imported for that."""
    return getattr(hint, "__module__", "") == module and hint.__name__ in names


def choice(kinds: tuple[Any, ...], names: dict[str, Any]) -> Read | None:
    """Return what reads a union: a value is of the member that it fits best."""
    members = [(kind, reader(kind, names)) for kind in kinds]
    if not any(read for _, read in members):
        return None

    def read_any(value: Any) -> Any:
        if type(value) in kinds:
            return value
        fitting = [one for one in members if fits(one[0], names, value)]
        best = max(fitting, key=lambda one: score(one[0], value), default=(None, None))
        return best[1](value) if best[1] else value

    return read_any


def score(kind: Any, value: Any) -> int:
    """Return how well an object fits a model: by its required properties, and all others."""
    if not (isinstance(kind, type) and issubclass(kind, Model)):
        return 0
    entries = plan(kind)
    missing = sum(e.is_required and key not in value for key, e in entries.items())
    wrong = sum(not e.fits(value[key]) for key, e in entries.items() if key in value)
    return len(entries.keys() & value.keys()) - 100 * (missing + wrong)


def fits(hint: Any, names: dict[str, Any], value: Any) -> bool:
    """Return whether JSON may be of a type, as far as can be seen at once."""
    hint = resolved(hint, names)
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return any(fits(part, names, value) for part in parts)
    if kind is Any or kind is Literal:
        return kind is Any or value in parts
    if kind is int or kind is float:
        is_whole = kind is float or (isinstance(value, float) and value.is_integer())
        return type(value) is int or (type(value) is float and is_whole)
    if kind is None or kind is NoneType:
        return value is None
    if issubclass(kind, Model):
        return isinstance(value, dict)
    # Dates, and what else is text in JSON.
    return isinstance(value, kind if kind in (bool, list, dict) else str)


def plain(value: Any) -> Any:
    """Return the JSON of a value with models in it."""
    if isinstance(value, SCALARS) or value is None:
        return value
    if isinstance(value, Model):
        return value.model_dump()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "isoformat"):
        return value.isoformat().replace("+00:00", "Z")
    return str(value) if is_of(type(value), "uuid", "UUID") else value
