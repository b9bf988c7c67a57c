"""Parts of the spec as templates see them: their own fields, with texts that need a filter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from pydantic.fields import FieldInfo

from scaffold.base.text import Text
from scaffold.format.fields import Model, Pattern

_NONE: Mapping[str, object] = MappingProxyType({})


class Seen(Struct, frozen=True):
    """A part of the spec; `more` are attributes besides its fields and properties.

    Texts are `Text`, but for names of a form in which no character means anything, and words that
    the format lists.
    """

    _model: Model
    _more: Mapping[str, object] = _NONE

    def __getattr__(self, name: str) -> Any:
        if name in self._more:
            return self._more[name]
        kind = type(self._model)
        if name in kind.model_fields:
            return _seen(getattr(self._model, name), _is_plain(kind, name))
        if name.startswith("_") or not isinstance(
            getattr(kind, name, None), property | cached_property
        ):
            raise AttributeError(name)
        return _seen(getattr(self._model, name), is_plain=False)


def _seen(value: Any, is_plain: bool) -> Any:
    match value:
        case str():
            return str(value) if is_plain else Text(value)
        case Model():
            return Seen(value)
        case Mapping():
            return {key: _seen(one, is_plain) for key, one in value.items()}
        case tuple():
            return tuple(_seen(one, is_plain) for one in value)
        case _:
            return value


@cache
def _is_plain(kind: type[Model], name: str) -> bool:
    field: FieldInfo = kind.model_fields[name]
    words = get_args(field.annotation) if get_origin(field.annotation) is not Literal else ()
    is_listed = not words and (get_origin(field.annotation) is Literal or _is_enum(field))
    return is_listed or any(isinstance(m, Pattern) and m.is_plain for m in field.metadata)


def _is_enum(field: FieldInfo) -> bool:
    return (
        isinstance(field.annotation, type)
        and field.annotation is not str
        and issubclass(field.annotation, str)
    )
