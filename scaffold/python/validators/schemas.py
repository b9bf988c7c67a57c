"""Statements that find what all keywords of a schema refuse."""

from __future__ import annotations

from scaffold.jsonschema.faults import types_of
from scaffold.python.validators import objects, phrases
from scaffold.python.validators.alternatives import alternatives
from scaffold.python.validators.applied import applied
from scaffold.python.validators.arrays import items
from scaffold.python.validators.decisions import decided_by_call
from scaffold.python.validators.heads import heads
from scaffold.python.validators.leaves import leaves
from scaffold.python.validators.place import Place
from scaffold.python.validators.segments import (
    Segment,
    after_heads,
    chained,
    guard_of,
    guarded,
)
from scaffold.python.validators.statements import Lines, indented
from scaffold.python.validators.verdicts import verdicts


def statements(place: Place) -> Lines:
    """Return the statements that find the faults of the value of a variable."""
    node = place.node
    if node.is_never:
        return place.fault(phrases.LEFT_OUT)
    first = heads(place)
    simple = chained([*leaves(place), *objects.names(place)], node.schema)
    rest = _rest(place)
    guard = _guard(place, is_checked="type" in first)
    if first and not node.quiet:
        return after_heads(place.module, place.value, first, guard, simple, rest)
    lines = [line for head in first.values() for line in head]
    return [*lines, *guarded(place.module, place.value, [*simple, *rest], guard)]


def _rest(place: Place) -> list[Segment]:
    """Return the checks that other schemas make."""
    if place.node.quiet or place.node.is_explored:
        checks = (applied, objects.properties, items, alternatives, verdicts)
        return [segment for check in checks for segment in check(place)]
    fits = decided_by_call(place.module, place.node.hushed(), place.value)
    return [Segment(None, [f"if {fits.false}:", *indented(place.unclear())])]


def _guard(place: Place, is_checked: bool) -> str | None:
    """Return the type that a value has here, if there is just one; empty if it has no guard."""
    schema = place.node.schema
    types = types_of(dict(schema)) if "type" in schema else ()
    if len(types) != 1 or not (place.typed or is_checked):
        return None
    # Limits are also checked for 1.5, which is a number.
    if types[0] == "integer" and not (place.typed or place.node.quiet):
        return ""
    return guard_of(types[0])
