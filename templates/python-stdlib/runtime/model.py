"""Frozen dataclasses for JSON: what handlers get, and what they return."""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Self, cast, dataclass_transform

from .typed import Read, expect, is_of, literals, reader, resolved

OMIT_IF_NONE: Any = object()
"""The default of what is left out if it is None, because it cannot be null."""


def Field(
    *, key: str | None = None, default: Any = MISSING, default_factory: Any = MISSING
) -> Any:
    """Return the field of a property that has another name in JSON, or a default."""
    about = {} if key is None else {"key": key}
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=about)
    if default is OMIT_IF_NONE:
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
    faults: ClassVar[Callable[[object], list[str]]]
    """What is wrong with arguments of a tool, by its schema: `/day: …` for each fault."""

    def __new__(cls, /, **named: Any) -> Self:
        complete(cls)
        instance = super().__new__(cls)
        vars(instance).update(model_fields_set={*named}, model_extra={})
        return instance

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """Return a model of JSON. Raises ValueError if it has other types, and no more."""
        known = plan(cls)
        expect(isinstance(data, dict) and is_whole(known, data), cls)
        given = {e.name: e.read(data[key]) for key, e in known.items() if key in data}
        model = cls(**given)
        extra = {key: value for key, value in data.items() if key not in known}
        vars(model)["model_extra"] = extra
        return model

    @classmethod
    def likeness(cls, data: Mapping[str, Any]) -> int:
        """Return how many of this model's properties an object has; -1 if it does not fit."""
        known = plan(cls)
        named = [key for key in data if key in known]
        can_be = all(not known[k].texts or data[k] in known[k].texts for k in named)
        return len(named) if can_be and is_whole(known, data) else -1

    def model_dump(self) -> dict[str, Any]:
        """Return the properties that were set as JSON."""
        properties = dict[str, Any]()
        for key, entry in plan(type(self)).items():
            value = getattr(self, entry.name)
            is_sent = entry.name in self.model_fields_set
            if is_sent and not (value is None and entry.is_left_out):
                properties[key] = plain(value)
        return {**properties, **plain(self.model_extra)}

    @classmethod
    def key_of(cls, attribute: str, key: str | None) -> str:
        """Return the property that an attribute is for."""
        return attribute if key is None else key


def complete(model: type) -> None:
    """Make dataclasses of a model and its bases: at its first use, because it takes long."""
    for base in reversed(model.__mro__[: model.__mro__.index(Model)]):
        if "__dataclass_fields__" not in vars(base) and issubclass(base, Model):
            for name, default in [*vars(base).items()]:
                if default is OMIT_IF_NONE:
                    setattr(base, name, Field(default=OMIT_IF_NONE))
            dataclass(frozen=True, kw_only=True)(base)


class Entry(NamedTuple):
    """A property: the name of its attribute, and how it is read."""

    name: str
    read: Read
    texts: tuple[Any, ...]
    """All values that it may have, if they are listed."""
    is_required: bool
    is_left_out: bool
    """Whether None is not sent, since the property cannot be null."""


PLANS: dict[type[Model], dict[str, Entry]] = {}


def plan(model: type[Model]) -> dict[str, Entry]:
    """Return the properties of a model, by their names in JSON."""
    if model not in PLANS:
        complete(model)
        modules = [sys.modules[base.__module__] for base in model.__mro__]
        names = ChainMap(*map(vars, modules))
        entries = {}
        for each in fields(cast("Any", model)):
            hint = resolved(each.type, names)
            entries[model.key_of(each.name, each.metadata.get("key"))] = Entry(
                each.name,
                reader(hint, names),
                literals(hint),
                each.default is MISSING and each.default_factory is MISSING,
                "absent" in each.metadata,
            )
        PLANS[model] = entries
    return PLANS[model]


def is_whole(known: Mapping[str, Entry], data: Mapping[str, Any]) -> bool:
    return all(key in data for key, entry in known.items() if entry.is_required)


TEXTS = (("uuid", "UUID"), ("decimal", "Decimal"))


def plain(value: Any) -> Any:
    """Return the JSON of a value with models in it.

    Dates and times are text as in ISO 8601, decimal numbers and UUIDs as they are written,
    and an enum is its value.
    """
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, Model):
        return value.model_dump()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "isoformat"):
        return value.isoformat().replace("+00:00", "Z")
    if hasattr(type(value), "__members__"):
        return plain(value.value)
    kinds = type(value).__mro__  # Drivers of databases have UUIDs of their own.
    is_text = any(is_of(kind, *name) for kind in kinds for name in TEXTS)
    return str(value) if is_text else value
