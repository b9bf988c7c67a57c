"""Data of a spec as templates see it: JSON values, whose texts reach a file only through a filter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import dumps
from types import MappingProxyType
from typing import Any

from scaffold.base.text import FILTERS as OF_TEXT
from scaffold.base.text import Filters, Text, json_visible, opened


@dataclass(frozen=True, slots=True, repr=False)
class Data(Mapping[Any, Any]):
    """A JSON object, with its keys and all texts in it as `Text`; `str` finds a key too."""

    _raw: Mapping[str, Any]

    def __getitem__(self, key: Text | str) -> Any:
        return wrapped(self._raw[opened(key)])

    def __iter__(self) -> Iterator[Text]:
        return map(Text, self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __str__(self) -> str:
        raise TypeError("takes text, not an object of the spec")


def wrapped(value: Any) -> Any:
    """Return a JSON value as templates see it."""
    match value:
        case str():
            return Text(value)
        case Mapping():
            return Data(value)
        case list() | tuple():
            return tuple(map(wrapped, value))
        case _:
            return value


def unwrapped(value: object) -> Any:
    """Undo `wrapped`. Raises TypeError for anything but a JSON value."""
    match value:
        case Text() | str():
            return opened(value)
        case Data():
            return value._raw
        case list() | tuple():
            return [unwrapped(item) for item in value]
        case bool() | int() | float() | None:
            return value
        case _:
            raise TypeError(
                f"takes text or data of the spec, not a value of type {type(value).__name__}"
            )


def json(value: object, indent: int | None = None) -> str:
    """Return a text or data of the spec as JSON; with `indent`, on lines of their own."""
    document = dumps(unwrapped(value), ensure_ascii=False, indent=indent, allow_nan=False)
    return json_visible(document)


FILTERS: Filters = MappingProxyType({**OF_TEXT, "json": json})
"""The quoting filters that are the same in every language."""
