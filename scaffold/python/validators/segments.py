"""Checks of one schema, joined so that each is made for values of its type alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from scaffold.python.validators.module import Module
from scaffold.python.validators.statements import Lines, otherwise, under
from scaffold.python.validators.vocabulary import ARRAY, NUMBER, OBJECT, TEXT

_TYPES = {NUMBER: ("integer", "number"), TEXT: ("string",), ARRAY: ("array",), OBJECT: ("object",)}

_LIMITS = frozenset({
    ("minimum", "maximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "exclusiveMaximum"),
    *((f"min{of}", f"max{of}") for of in ("Length", "Items", "Properties")),
})  # fmt: skip
"""Pairs of limits, of which a value can only exceed one."""


class Segment(Struct, frozen=True):
    """Statements that only make sense for values of a type, and the limit that they check."""

    guard: str | None
    lines: Lines
    limit: str = ""


def guard_of(type_: str) -> str:
    """Return the guard that holds for all values of a type, if any."""
    return next((guard for guard, types in _TYPES.items() if type_ in types), "")


def chained(segments: list[Segment], schema: Mapping[str, Any]) -> list[Segment]:
    """Return checks of a lower and an upper limit, and nothing else, as one statement."""
    filled = [one for one in segments if one.lines]
    if len(filled) != 2 or (filled[0].limit, filled[1].limit) not in _LIMITS:
        return segments
    first, second = filled
    if schema[first.limit] > schema[second.limit]:
        return segments
    return [Segment(first.guard, [*first.lines, f"el{second.lines[0]}", *second.lines[1:]])]


def guarded(
    module: Module, value: str, segments: Iterable[Segment], known: str | None = None
) -> Lines:
    """Return the statements of segments, each where the value has the type for it."""
    merged: list[Segment] = []
    for one in segments:
        if not one.lines:
            continue
        if merged and merged[-1].guard == one.guard:
            merged[-1] = Segment(one.guard, [*merged[-1].lines, *one.lines])
        else:
            merged.append(one)
    lines: Lines = []
    for one in merged:
        if one.guard is None or one.guard == known:
            lines += one.lines
        else:
            test = module.of_type(value, _TYPES[one.guard]).true
            lines += under(test, one.lines)
    return lines


def after_heads(
    module: Module,
    value: str,
    heads: Mapping[str, Lines],
    guard: str | None,
    leaves: Sequence[Segment],
    rest: Sequence[Segment],
) -> Lines:
    """Return the checks of a schema; those after a list of values are only made if it fits.

    `guard` is the type of a value that is refused by no head, if there is just one.
    """
    listed = [lines for keyword, lines in heads.items() if keyword != "type"]
    inner, after = [*leaves], [*rest]
    if not listed:
        inner, after = [*leaves, *rest], []
    known: list[Segment] = []
    while guard is not None and inner and (inner[0].guard == guard or not inner[0].lines):
        known.append(inner.pop(0))
    lines = [*heads.get("type", ())]
    if follow := guarded(module, value, known, guard):
        lines = [*lines, *otherwise(follow)] if lines else follow
    lines += guarded(module, value, inner)
    if not listed:
        return lines
    chain = [
        line for n, head in enumerate(listed) for line in ("el" * (n > 0) + head[0], *head[1:])
    ]
    if lines:
        chain += otherwise(lines)
    return [*chain, *guarded(module, value, after)]
