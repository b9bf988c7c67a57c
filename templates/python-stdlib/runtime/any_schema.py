"""JSON Schemas with any keywords, including conditions and `unevaluated…`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from .choices import CHOICES, ChoiceSchema, in_place, ref
from .keywords import no_others, of_others
from .places import Places
from .rare_keywords import RareSchema, dependent_required
from .rules import ARRAY, Keyword, Rule
from .schema import Walk

# Keywords that look at what others leave, and those whose parts are for the same value.
REST_OF_OBJECTS = {"additionalProperties", "unevaluatedProperties"}
REST_OF_ARRAYS = {"items", "unevaluatedItems"}
IN_PLACE = {"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"}


def if_(schema: AnySchema, keyword: str, part: Any) -> Rule:
    then, other = part.get("then", True), part.get("else", True)

    def parts(walk: Walk, value: Any) -> list[Any]:
        fits = not walk.first(part[keyword], value)
        return [] if walk.is_cut else [then if fits else other]

    return in_place(parts)


def dependent(schema: AnySchema, keyword: str, part: Any) -> Rule:
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


def unevaluated(schema: AnySchema, keyword: str, part: Any) -> Rule:
    beside = {key: rule for key, rule in part.items() if key in IN_PLACE}
    schema.places.add(beside, of=part)

    def others(walk: Walk, value: Any) -> Iterable[str | int]:
        if walk.first(beside, value):
            return ()  # A part that does not fit evaluates nothing.
        seen = Seen(walk, schema, value).by(part, keyword)
        if walk.is_cut:
            return ()
        places = value if isinstance(value, dict) else range(len(value))
        return (at for at in places if at not in seen)

    if keyword == "unevaluatedProperties" and part[keyword] is False:
        return no_others(others)
    return of_others(part[keyword], others)


class Seen:
    """The entries of a value that parts of a schema look at, if they fit it."""

    def __init__(self, walk: Walk, schema: AnySchema, value: Any) -> None:
        self.walk, self.schema, self.value = walk, schema, value
        self.done = set[int]()

    def by(self, part: Any, but: str = "") -> set[str | int]:
        """Return the entries that a part looks at; the keyword `but` does not count."""
        if not isinstance(part, dict) or id(part) in self.done:
            return set()
        self.done.add(id(part))
        value, keys = self.value, set[str | int]()
        if isinstance(value, dict):
            if REST_OF_OBJECTS & part.keys() - {but}:
                return {*value}
            names = part.get("properties", {})
            tests = [*map(self.schema.pattern, part.get("patternProperties", ()))]
            keys = {n for n in value if n in names or any(test(n) for test in tests)}
        elif isinstance(value, list | tuple):
            if REST_OF_ARRAYS & part.keys() - {but}:
                return {*range(len(value))}
            keys = {*range(min(len(part.get("prefixItems", ())), len(value)))}
            if "contains" in part:
                first = self.walk.first
                rows = enumerate(value)
                keys |= {at for at, item in rows if not first(part["contains"], item)}
        for beside in self.beside(part):
            if not self.walk.first(beside, value):
                keys |= self.by(beside)
        return keys

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


CONDITIONS: dict[str, Keyword] = {
    "dependencies": Keyword(dict, dependent),
    "dependentSchemas": Keyword(dict, dependent),
    "if": Keyword(object, if_),
    "unevaluatedProperties": Keyword(dict, unevaluated),
    "unevaluatedItems": Keyword(ARRAY, unevaluated),
}


class AnySchema(ChoiceSchema, RareSchema):
    """Any schema."""

    keywords: ClassVar[Mapping[str, Keyword]] = {
        **RareSchema.keywords,
        **CHOICES,
        **CONDITIONS,
    }

    @cached_property
    def places(self) -> Places:
        return Places(self.schema, self.is_draft_7)

    def rules_of_keywords(self, part: dict[str, Any]) -> Iterator[Rule]:
        if self.is_draft_7 and "$ref" in part:
            return iter([ref(self, "$ref", part)])  # Nothing else counts beside it.
        return super().rules_of_keywords(part)
