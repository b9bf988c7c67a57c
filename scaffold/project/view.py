"""Parts of the spec as templates see them: their own keys, with texts that need a filter."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from msgspec import Struct

from scaffold.base.data import wrapped
from scaffold.format.fields import Model, Pattern
from scaffold.format.spec import DomainError, Spec, Variable
from scaffold.schema.describe import Description
from scaffold.schema.index import Index

Part = TypeVar("Part", bound=Model | Description)

FACTS: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        Spec: frozenset({"asks", "functions", "guarded", "has_resources", "outputs", "static"}),
        DomainError: frozenset({"fields"}),
        Variable: frozenset({"required"}),
    }
)
"""The attributes of parts that are not keys."""


class View(Struct, Generic[Part], frozen=True):
    """A part of the spec, or the description of a property: its keys are attributes.

    Texts are `Text`, but for names of a form in which no character means anything, and words that
    the format lists. A subclass adds attributes, or has its own for a key.
    """

    _part: Part

    def __getattr__(self, name: str) -> Any:
        kind: Any = type(self._part)
        if name not in _keys(kind) and name not in FACTS.get(kind, ()):
            raise AttributeError(name)
        return _viewed(getattr(self._part, name), _is_plain(kind, name))

    def __dir__(self) -> list[str]:
        kind: Any = type(self._part)
        return [*super().__dir__(), *_keys(kind), *FACTS.get(kind, ())]


def _viewed(value: Any, is_plain: bool) -> Any:
    match value:
        case Model() | Description():
            return View(value)
        case Enum():
            return value.value
        case str() if is_plain:
            return value
        case tuple():
            return tuple(_viewed(item, is_plain) for item in value)
        case Mapping() if any(isinstance(item, Model) for item in value.values()):
            return {key: _viewed(item, is_plain) for key, item in value.items()}
    return wrapped(value)


@cache
def _keys(kind: Any) -> frozenset[str]:
    """Return the keys of a part, but for schemas, which are in the entry as it was written."""
    if not issubclass(kind, Model):
        return frozenset(kind.__struct_fields__)
    return frozenset(
        n for n, key_field in kind.model_fields.items() if not _has_schema(key_field.annotation)
    )


def _has_schema(annotation: object) -> bool:
    return annotation is Index or any(map(_has_schema, get_args(annotation)))


@cache
def _is_plain(kind: Any, name: str) -> bool:
    """Return whether all texts that a key can have are safe to print in every language."""
    if not issubclass(kind, Model) or name not in kind.model_fields:
        return False
    field = kind.model_fields[name]
    parts = {field.annotation, *get_args(field.annotation)}
    is_listed = any(get_origin(part) is Literal for part in parts) and str not in parts
    has_form = any(isinstance(mark, Pattern) and mark.is_plain for mark in field.metadata)
    return is_listed or has_form
