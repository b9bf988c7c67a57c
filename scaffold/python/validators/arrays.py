"""Checks of the items of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.python.validators.place import Place
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.statements import indented, mentions, under
from scaffold.python.validators.vocabulary import ARRAY


def items(place: Place) -> Iterator[Segment]:
    """Yield the checks of the first items, and of the rest."""
    inside, value = place.node.children(), place.value
    is_tuple = isinstance(place.node.schema.get("items"), list)
    firsts = inside.get("items" if is_tuple else "prefixItems", ())
    rest = inside.get("additionalItems" if is_tuple else "items", ())
    for number, child in enumerate(firsts):
        lines = place.inside(child, str(number), f"{value}[{number}]", "item")
        yield Segment(ARRAY, under(f"len({value}) > {number}", lines))
    for child in rest:
        count = len(firsts)
        index, item = place.function.variable("number"), place.function.variable("item")
        lines = place.inside(child, index, item)
        values = f"{value}[{count}:], {count}" if count else value
        loop = f"for {index}, {item} in enumerate({values}):"
        if not mentions(lines, item):
            start = f"{count}, " if count else ""
            loop = f"for {index} in range({start}len({value})):"
        elif not mentions(lines, index):
            loop = f"for {item} in {value}{f'[{count}:]' if count else ''}:"
        yield Segment(ARRAY, [loop, *indented(lines)] if lines else [])
