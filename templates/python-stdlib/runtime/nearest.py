"""Errors of a value that fits no alternative: those of the nearest one.

That is the one that a constant, an enum or a type tells apart, else the one with the deepest
faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from .rules import Fault
from .schema import MAX_STEPS, Walk, is_type

if TYPE_CHECKING:
    from .choices import ChoiceSchema

# Faults of the nearest of several choices.
MAX_OF_CHOICE = 4
# Keywords that tell choices apart.
TAGS = ("const", "enum")


def explained(
    walk: Walk, choices: Sequence[Any], misfits: list[list[Fault]], value: Any
) -> list[Fault]:
    """Return the faults of a value that fits no choice, of each of which one is known."""
    walk.left = min(walk.left, MAX_STEPS)
    looked = [walk.again(choice, value) for choice in choices]
    every = [[*more] or known for more, known in zip(looked, misfits, strict=True)]
    return nearest(walk, choices, every, value)


def nearest(
    walk: Walk, choices: Sequence[Any], misfits: Sequence[list[Fault]], value: Any
) -> list[Fault]:
    """Return the faults of a value by the nearest of some choices."""
    rows = [*zip(choices, misfits, strict=True)]
    rows = [row for row in rows if not is_type(row[1][0])]
    if not rows:
        kinds = chain.from_iterable(faults[0][1] for faults in misfits)
        return [("type", [*dict.fromkeys(kinds)], value, ())]
    tags = [tags_of(walk, choice, value) for choice, _ in rows]
    for name in (name for name in tags[0] if all(name in known for known in tags)):
        wrong = [fault for known in tags if (fault := known[name])]
        if len(wrong) == len(rows):
            values = chain.from_iterable(map(allowed, wrong))
            return [("enum", [*values], value[name], (name,))]
        kept = zip(rows, tags, strict=True)
        rows = [row for row, known in kept if not known[name]]
        break
    faults = min((faults for _, faults in rows), key=distance)
    faults = [*chain.from_iterable(expanded(walk, fault) for fault in faults)]
    if len(rows) == 1 and isinstance(value, dict | list):
        return faults
    inner = (
        at(place, rule) if keyword == "no choice" else [(keyword, rule, item, place)]
        for keyword, rule, item, place in faults
    )
    return [("no choice", [*chain.from_iterable(inner)][:MAX_OF_CHOICE], value, ())]


def expanded(walk: Walk, fault: Fault) -> list[Fault]:
    """Return the faults that the first fault of a choice stands for."""
    keyword, rule, value, place = fault
    if keyword != "choices":
        return [fault]
    choices, misfits = rule
    return at(place, nearest(walk, choices, misfits, value))


def tags_of(walk: Walk, choice: Any, value: Any) -> dict[str, Fault | None]:
    """Return the properties that tell choices apart, and what is wrong with them."""
    if not isinstance(value, dict):
        return {}
    resolved = cast("ChoiceSchema", walk.schema).resolved
    known = resolved(choice).get("properties", {}).items()
    parts = {name: resolved(part) for name, part in known if name in value}
    return {
        name: (tag, part[tag], value[name], ())
        if walk.first(part, value[name])
        else None
        for name, part in parts.items()
        for tag in TAGS
        if tag in part
    }


def at(place: tuple[Any, ...], faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a part of a value as those of the whole."""
    return [(*fault, (*place, *below)) for *fault, below in faults]


def allowed(fault: Fault) -> Iterable[Any]:
    keyword, rule, *_ = fault
    return rule if keyword == "enum" else [rule]


def distance(faults: list[Fault]) -> tuple[int, int]:
    """Return how far a value is from a choice: the deeper its faults, the nearer."""
    return -min(len(fault[3]) for fault in faults), len(faults)
