"""All that is wrong with a value that does not fit, looked for within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from .engine import Engine
from .rules import Fault, Part, Rule, below, size

MAX_FAULTS = 20
# What may be looked at: a rule, or a part of a value that a costly keyword looks at.
MAX_STEPS = 20_000
# Keywords that look at all of a value at once, or at all of its names, and how many parts it
# may have then. Of a larger one, such a fault is known only if it is the first.
COSTLY = {"enum", "const", "pattern", "format", "contentEncoding", "contentMediaType"}
COSTLY |= {"contains", "uniqueItems", "not", "if"}
COSTLY |= {"unevaluatedItems", "unevaluatedProperties"}
OF_NAMES = {"patternProperties", "additionalProperties"}
MAX_SIZE = 2_000
# Keywords whose parts are for the same value.
IN_PLACE = {"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"}


def explain(engine: Engine, value: Any, first: Fault) -> list[Fault]:
    """Return the faults of a value of which the first is known, as far as the budget goes."""
    walk, faults = engine.walk(), list[Fault]()
    with suppress(RecursionError):
        faults = walk.faults(engine.top, value)
    if walk.is_cut or not faults:
        faults = [*walk.expanded(first), *faults]
    return faults


class Walk:
    """The way through the parts of a schema and of a value that do not fit."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.left, self.is_cut = engine, MAX_STEPS, False
        self.known: dict[tuple[int, int], list[Fault]] = {}

    def faults(self, part: Part, value: Any) -> list[Fault]:
        """Return the faults of a value, looked for once for each part."""
        place = id(part), id(value)
        if place not in self.known:
            faults: list[Fault] = []
            self.known[place] = faults
            fits_parts = True
            for rule in part.rules:
                if len(faults) >= MAX_FAULTS or not self.spend(1):
                    break
                if rule.keyword.startswith("unevaluated") and not fits_parts:
                    break  # A part that does not fit evaluates nothing.
                count = len(faults)
                faults += islice(self.of_rule(rule, value), MAX_FAULTS - count)
                if faults and is_type(faults[0]):
                    break  # After a wrong type, nothing else is told.
                fits_parts &= len(faults) == count or rule.keyword not in IN_PLACE
        return self.known[place]

    def of_rule(self, rule: Rule, value: Any) -> Iterator[Fault]:
        if not self.is_small(rule.keyword, value):
            self.is_cut = True
        elif rule.rows:
            for name, part, item in rule.rows(value):
                if not self.spend(1):
                    break
                for fault in self.faults(part, item):
                    yield below(name, fault)
        elif misfit := rule.first(value):
            yield misfit

    def spend(self, steps: int, most: int = 1) -> bool:
        """Return whether a part of the budget, and the budget, have so many steps left."""
        if steps > most:
            return False
        self.left -= steps
        self.is_cut |= self.left < 0
        return self.left >= 0

    def is_small(self, keyword: str, value: Any) -> bool:
        """Return whether a keyword may look at a value, and spend what it takes."""
        if keyword not in COSTLY:
            is_named = keyword in OF_NAMES and isinstance(value, dict)
            return not is_named or self.spend(len(value), MAX_SIZE)
        is_text = isinstance(value, str)
        return self.spend(len(value) if is_text else size(value, MAX_SIZE), MAX_SIZE)

    def expanded(self, fault: Fault) -> list[Fault]:
        """Return the faults that the first fault of a value stands for."""
        return [fault]


def is_type(fault: Fault) -> bool:
    return fault[0] == "type" and not fault[3]
