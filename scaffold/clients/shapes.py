"""Shapes: data with slots such as `<url>`, to be filled with values and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET

_SLOT = re.compile(r"<(\w+)(\??)>")


def fill(shape: Any, values: Mapping[str, Any]) -> Any:
    """Return data with its slots filled; a text that is nothing but a slot becomes its value.

    In a list, a slot is replaced by all items of its value, if that is a list. A field with a slot
    that ends in `?` is left out if the value is empty, and so is a table that has lost all its
    fields.
    """
    filled = _fill(shape, values)
    return "" if filled is UNSET else filled


def _fill(shape: Any, values: Mapping[str, Any]) -> Any:
    """Return data with its slots filled, or UNSET if it is left out."""
    match shape:
        case str():
            slots = list(_SLOT.finditer(shape))
            if any(slot[2] and not values[slot[1]] for slot in slots):
                return UNSET
            if len(slots) == 1 and slots[0][0] == shape:
                return values[slots[0][1]]
            return _SLOT.sub(lambda slot: str(values[slot[1]]), shape)
        case Mapping():
            fields = {key: _fill(value, values) for key, value in shape.items()}
            kept = {key: value for key, value in fields.items() if value is not UNSET}
            return kept if kept or not shape else UNSET
        case Sequence():
            return [item for part in shape for item in _items(part, _fill(part, values))]
        case _:
            return shape


def _items(part: Any, filled: Any) -> Sequence[Any]:
    if filled is UNSET:
        return []
    return filled if isinstance(part, str) and isinstance(filled, list) else [filled]


def read(shape: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the slots of a shape with what stands in their places in data, if anything does."""
    if isinstance(shape, Mapping) and isinstance(value, Mapping):
        for key, below in shape.items():
            if key in value:
                yield from read(below, value[key])
    elif isinstance(shape, str) and (slot := _SLOT.search(shape)):
        if slot[0] == shape:
            yield slot[1], value
        elif isinstance(value, str):
            before, after = re.escape(shape[: slot.start()]), re.escape(shape[slot.end() :])
            if match := re.fullmatch(f"{before}(.*){after}", value):
                yield slot[1], match[1]
