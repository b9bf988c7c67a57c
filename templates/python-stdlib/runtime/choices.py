"""JSON Schemas that apply several subschemas to one value: choices and references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from .keywords import KEYWORDS
from .places import Places
from .rules import Fault, Keyword, Rule, costly, of_rows
from .schema import Schema, Walk

# What may be asked again is remembered if it took more steps, up to so many faults or none.
MIN_STEPS = 8
MAX_REMEMBERED = 50_000


class ChoiceWalk(Walk):
    """The walk, where several parts of a schema may be for one value."""

    def __init__(self, schema: ChoiceSchema) -> None:
        super().__init__(schema)
        self.known: dict[tuple[int, int, int], Sequence[Fault]] = {}

    def again(self, schema: Any, value: Any) -> Sequence[Fault]:
        """Return the faults of a value that several parts of the schema may be for.

        Without what is remembered, the time would grow with a power of the depth.
        """
        key = id(schema), id(value), self.most
        if key not in self.known:
            left = self.left
            faults = self.faults(schema, value) or ()
            if left - self.left < MIN_STEPS:
                return faults
            if len(self.known) >= MAX_REMEMBERED:
                self.known.clear()
            self.known[key] = faults
        return self.known[key]


def in_place(parts: Callable[[Walk, Any], Iterable[Any]]) -> Rule:
    """Return the rule of a keyword whose parts are for the value itself."""

    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        faults: list[Fault] = []
        for part in parts(walk, value):
            if more := walk.again(part, value):
                faults += more
                if walk.has_enough(faults):
                    break
        return faults

    return rule


def ref(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    target = schema.places.target(part)
    return in_place(lambda walk, value: [target])


def all_of(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    return in_place(lambda walk, value: part[keyword])


def any_of(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    choices = part[keyword]

    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        misfits, fitting = list[list[Fault]](), 0
        for choice in choices:
            if fault := walk.first(choice, value):
                misfits.append([fault])
            elif keyword == "anyOf":
                return ()
            else:
                fitting += 1
        if not fitting:
            return of_choices(walk, choices, misfits, value)
        is_clear = fitting > 1 and not walk.is_cut
        return [(keyword, None, value, ())] if is_clear else ()

    return rule


def of_choices(
    walk: Walk, choices: Sequence[Any], misfits: list[list[Fault]], value: Any
) -> list[Fault]:
    """Return the faults of a value that fits no choice, of each of which one is known."""
    if walk.most == 1:
        return [("choices", (choices, misfits), value, ())]
    from .nearest import explained  # Most calls are right.

    return explained(walk, choices, misfits, value)


def pattern_properties(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    rows = [(schema.pattern(rule), below) for rule, below in part[keyword].items()]
    matching = of_rows(
        lambda walk, value: (
            (name, below, item)
            for name, item in value.items()
            for matches, below in rows
            if matches(name)
        )
    )
    return costly(len, matching)


CHOICES: dict[str, Keyword] = {
    "patternProperties": Keyword(dict, pattern_properties),
    "$ref": Keyword(object, ref),
    "allOf": Keyword(object, all_of),
    "anyOf": Keyword(object, any_of),
    "oneOf": Keyword(object, any_of, "{value} fits more than one choice"),
}


class ChoiceSchema(Schema):
    """A schema of 2020-12 with choices and references."""

    keywords: ClassVar[Mapping[str, Keyword]] = {**KEYWORDS, **CHOICES}
    walk = ChoiceWalk

    @cached_property
    def places(self) -> Places:
        return Places(self.schema)

    def resolved(self, part: Any) -> dict[str, Any]:
        """Return what a part of the schema is that may only refer to it; {} for true."""
        while isinstance(part, dict) and part.keys() == {"$ref"}:
            part = self.places.target(part)
        return part if isinstance(part, dict) else {}
