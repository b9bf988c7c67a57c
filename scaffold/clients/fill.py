"""Shapes: data with slots such as `<url>`, filled with values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

_SLOT = re.compile(r"<(\w+)(\??)>")


class _Left(Enum):
    OUT = "left out"


_LEFT_OUT: Final = _Left.OUT


def fill(shape: Any, values: Mapping[str, Any]) -> Any:
    """Return data with its slots filled; a text that is nothing but a slot becomes its value.

    In a list, a slot is replaced by all items of its value, if that is a list. A field with a slot
    that ends in `?` is left out if the value is empty, and so is a table that has lost all its
    fields.
    """
    filled = _fill(shape, values)
    return "" if filled is _LEFT_OUT else filled


def _fill(shape: Any, values: Mapping[str, Any]) -> Any:
    match shape:
        case str():
            return _fill_text(shape, values)
        case Mapping():
            fields = {key: _fill(value, values) for key, value in shape.items()}
            kept = {key: value for key, value in fields.items() if value is not _LEFT_OUT}
            return kept if kept or not shape else _LEFT_OUT
        case Sequence():
            return [item for part in shape for item in _items(part, values)]
        case _:
            return shape


def _items(part: Any, values: Mapping[str, Any]) -> Sequence[Any]:
    filled = _fill(part, values)
    if filled is _LEFT_OUT:
        return []
    return filled if isinstance(part, str) and isinstance(filled, list) else [filled]


def _fill_text(shape: str, values: Mapping[str, Any]) -> Any:
    slots = list(_SLOT.finditer(shape))
    if any(slot[2] and not values[slot[1]] for slot in slots):
        return _LEFT_OUT
    if len(slots) == 1 and slots[0][0] == shape:
        return values[slots[0][1]]
    return _SLOT.sub(lambda slot: str(values[slot[1]]), shape)
