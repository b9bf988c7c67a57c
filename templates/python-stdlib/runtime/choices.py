"""JSON Schemas by which several parts apply to one value: choices, conditions, references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from .keywords import no_others, of_others
from .places import Places
from .rare_keywords import RareSchema, dependent_required
from .rules import ARRAY, Fault, Keyword, Rule, costly, of_rows
from .schema import Walk

# Keywords that look at what others leave, and those whose parts are for the same value.
REST_OF_OBJECTS = {"additionalProperties", "unevaluatedProperties"}
REST_OF_ARRAYS = {"items", "unevaluatedItems"}
IN_PLACE = {"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"}
# What may be asked again is remembered if it took more steps, up to so many faults or none.
MIN_STEPS = 8
MAX_REMEMBERED = 50_000


class ChoiceWalk(Walk):
    """The walk, for any schema."""

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


def if_(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    then, other = part.get("then", True), part.get("else", True)
    return in_place(lambda walk, v: [other if walk.first(part[keyword], v) else then])


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


def dependent(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    """Return the rule for properties with which a value must fit more, or have others."""
    lists = {
        name: rule for name, rule in part[keyword].items() if isinstance(rule, list)
    }
    schemas = [row for row in part[keyword].items() if row[0] not in lists]
    others = dependent_required(
        schema, "dependentRequired", {"dependentRequired": lists}
    )
    more = in_place(
        lambda walk, value: [below for name, below in schemas if name in value]
    )
    return lambda walk, value: [*others(walk, value), *more(walk, value)]


def unevaluated(schema: ChoiceSchema, keyword: str, part: Any) -> Rule:
    beside = {key: rule for key, rule in part.items() if key in IN_PLACE}
    schema.places.add(beside, of=part)

    def others(walk: Walk, value: Any) -> Iterable[str | int]:
        if walk.first(beside, value):
            return ()  # A part that does not fit evaluates nothing.
        seen = Seen(walk, schema, value).by(part, keyword)
        places = value if isinstance(value, dict) else range(len(value))
        return (at for at in places if at not in seen)

    if keyword == "unevaluatedProperties" and part[keyword] is False:
        return no_others(others)
    return of_others(part[keyword], others)


class Seen:
    """The entries of a value that parts of a schema look at, if they fit it."""

    def __init__(self, walk: Walk, schema: ChoiceSchema, value: Any) -> None:
        self.walk, self.schema, self.value = walk, schema, value
        self.done = set[int]()

    def by(self, part: Any, but: str = "") -> set[str | int]:
        """Return the entries that a part looks at; the keyword `but` does not count."""
        if not isinstance(part, dict) or id(part) in self.done:
            return set()
        self.done.add(id(part))
        value, found = self.value, set[str | int]()
        if isinstance(value, dict):
            if REST_OF_OBJECTS & part.keys() - {but}:
                return {*value}
            names = part.get("properties", {})
            tests = [*map(self.schema.pattern, part.get("patternProperties", ()))]
            found = {n for n in value if n in names or any(test(n) for test in tests)}
        elif isinstance(value, list | tuple):
            if REST_OF_ARRAYS & part.keys() - {but}:
                return {*range(len(value))}
            found = {*range(min(len(part.get("prefixItems", ())), len(value)))}
            if "contains" in part:
                first = self.walk.first
                rows = enumerate(value)
                found |= {at for at, item in rows if not first(part["contains"], item)}
        for beside in self.beside(part):
            if not self.walk.first(beside, value):
                found |= self.by(beside)
        return found

    def beside(self, part: Any) -> Iterator[Any]:
        """Yield the parts of a part that look at the same value."""
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from part.get(keyword, ())
        if "$ref" in part:
            yield self.schema.places.target(part)
        if "if" in part:
            fits = not self.walk.first(part["if"], self.value)
            yield part["if"]
            yield part.get("then" if fits else "else", True)
        for name, below in part.get("dependentSchemas", {}).items():
            if isinstance(self.value, dict) and name in self.value:
                yield below


CHOICES: dict[str, Keyword] = {
    "patternProperties": Keyword(dict, pattern_properties),
    "dependencies": Keyword(dict, dependent),
    "dependentSchemas": Keyword(dict, dependent),
    "$ref": Keyword(object, ref),
    "allOf": Keyword(object, all_of),
    "anyOf": Keyword(object, any_of),
    "oneOf": Keyword(object, any_of, "{value} fits more than one choice"),
    "if": Keyword(object, if_),
    "unevaluatedProperties": Keyword(dict, unevaluated),
    "unevaluatedItems": Keyword(ARRAY, unevaluated),
}


class ChoiceSchema(RareSchema):
    """Any schema."""

    keywords: ClassVar[Mapping[str, Keyword]] = {**RareSchema.keywords, **CHOICES}
    walk = ChoiceWalk

    @cached_property
    def places(self) -> Places:
        return Places(self.schema, self.is_draft_7)

    def resolved(self, part: Any) -> dict[str, Any]:
        """Return what a part of the schema is that may only refer to it; {} for true."""
        while isinstance(part, dict) and part.keys() == {"$ref"}:
            part = self.places.target(part)
        return part if isinstance(part, dict) else {}

    def made(self, part: dict[str, Any]) -> Iterator[Rule]:
        if self.is_draft_7 and "$ref" in part:
            yield ref(self, "$ref", part)  # Nothing else counts beside it.
        else:
            yield from super().made(part)
