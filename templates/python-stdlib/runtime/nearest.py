"""What is wrong with a value that fits no choice: with the nearest.

That is the one that a constant, an enum or a type tells apart, else the one with the deepest
faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from .explain import Walk, is_type
from .rules import Fault, Part, Rule

# Faults of the nearest of several choices.
MAX_OF_CHOICE = 4
# Keywords that tell choices apart.
TAGS = {"const", "enum"}


class ChoiceWalk(Walk):
    """The walk, for any schema."""

    def of_rule(self, rule: Rule, value: Any) -> Iterator[Fault]:
        if rule.choices:
            yield from self.of_choice(rule, value)
        else:
            yield from super().of_rule(rule, value)

    def of_choice(self, rule: Rule, value: Any) -> Sequence[Fault]:
        misfits = [self.faults(part, value) for part in rule.choices]
        fitting = misfits.count([])
        if not fitting:
            return self.nearest(rule.choices, misfits, value)
        if fitting == 1 or rule.keyword == "anyOf" or self.is_cut:
            return ()  # What was not looked at may not fit.
        return [(rule.keyword, None, value, ())]

    def expanded(self, fault: Fault) -> list[Fault]:
        """Return the faults that the first fault of a choice stands for."""
        keyword, rule, value, place = fault
        if keyword != "choices":
            return [fault]
        parts, misfits = rule
        return at(place, self.nearest(parts, misfits, value))

    def nearest(
        self, parts: Sequence[Part], misfits: Sequence[list[Fault]], value: Any
    ) -> list[Fault]:
        """Return the faults of a value that fits no choice: of the nearest."""
        rows = [*zip(parts, misfits, strict=True)]
        rows = [row for row in rows if not is_type(row[1][0])]
        if not rows:
            kinds = dict.fromkeys(
                chain.from_iterable(faults[0][1] for faults in misfits)
            )
            return [("type", [*kinds], value, ())]
        tags = [self.tags(part, value) for part, _ in rows]
        for name in (name for name in tags[0] if all(name in known for known in tags)):
            wrong = [fault for known in tags if (fault := known[name])]
            if len(wrong) == len(rows):
                values = chain.from_iterable(listed(fault) for fault in wrong)
                return [("enum", [*values], value[name], (name,))]
            kept = zip(rows, tags, strict=True)
            rows = [row for row, known in kept if not known[name]]
            break
        faults = min((faults for _, faults in rows), key=distance)
        faults = [*chain.from_iterable(map(self.expanded, faults))]
        if len(rows) == 1 and isinstance(value, dict | list):
            return faults
        inner = (
            at(place, rule)
            if keyword == "no choice"
            else [(keyword, rule, item, place)]
            for keyword, rule, item, place in faults
        )
        faults = [*chain.from_iterable(inner)][:MAX_OF_CHOICE]
        return [("no choice", faults, value, ())]

    def tags(self, part: Part, value: Any) -> dict[Any, Fault | None]:
        """Return the properties that tell choices apart, and what is wrong with them."""
        return {
            name: rule.first(item)
            for properties in part.rules
            if properties.keyword == "properties" and properties.rows
            for name, below, item in properties.rows(value)
            for rule in below.rules
            if rule.keyword in TAGS and self.is_small(rule.keyword, item)
        }


def at(place: tuple[Any, ...], faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a part of a value as those of the whole."""
    return [
        (keyword, rule, value, (*place, *below))
        for keyword, rule, value, below in faults
    ]


def listed(fault: Fault) -> Iterable[Any]:
    keyword, rule, *_ = fault
    return rule if keyword == "enum" else [rule]


def distance(faults: list[Fault]) -> tuple[int, int]:
    """Return how far a value is from a choice: the deeper its faults, the nearer."""
    return -min(len(fault[3]) for fault in faults), len(faults)
