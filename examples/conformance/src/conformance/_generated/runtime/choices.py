"""Validation errors for JSON Schemas with choices, conditions and references.

Of a choice, the branch is explained that a constant, an enum or a type tells apart, else
the nearest. No part is explained twice for the same place, which would be endless.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import chain
from typing import Any, Self
from urllib.parse import urljoin

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind

from .schema import (
    BASE,
    MAX_CHARACTERS,
    Fault,
    Items,
    Place,
    Schema,
    is_array,
    is_object,
    line,
    shortened,
    unexpected,
)

NEAREST = "fits no choice; of the nearest: "
# Keywords with parts by name.
MAPS = {
    *("$defs", "definitions", "properties", "patternProperties", "dependencies"),
    "dependentSchemas",
}


class ChoiceSchema(Schema):
    """Any schema."""

    known: dict[tuple[int, Place], list[Fault]]
    """The faults that a walk has seen, by parts and places."""

    def __init__(self, schema: Any) -> None:
        super().__init__(schema)
        self.targets: dict[str, Any] = {}

    @cached_property
    def root(self) -> Any:
        kind: Any = jsonschema_rs.validator_cls_for(self.schema)
        return absolute(self.schema, BASE, kind is jsonschema_rs.Draft7Validator)

    @cached_property
    def registry(self) -> jsonschema_rs.Registry:
        return jsonschema_rs.Registry([(BASE, self.root)])

    @cached_property
    def compile(self) -> Callable[..., jsonschema_rs.Validator]:
        return partial(super().compile, registry=self.registry)

    def walk(self) -> Self:
        walk = super().walk()
        walk.known = {}
        return walk

    def explain(self, part: Any, value: Any, place: Place) -> list[Fault]:
        part = self.root if part is self.schema else part
        if (id(part), place) in self.known:  # Or so far: the part may lead to itself.
            return self.known[id(part), place]
        faults = self.known[id(part), place] = []
        faults += super().explain(part, value, place)
        return faults

    def text_of(self, error: jsonschema_rs.ValidationError) -> str:
        if isinstance(error.kind, Kind.UnevaluatedProperties):
            return unexpected("Unevaluated", error.kind.unexpected)
        return super().text_of(error)

    def search(self, part: Any, value: Any, place: Place) -> Iterator[Fault]:
        for key in ("anyOf", "oneOf"):
            parts = part.get(key) if is_object(part) else None
            if parts and not self.fits_part(value, part, key, {key: parts}):
                yield from self.choice(key, parts, value, place)
        yield from super().search(part, value, place)

    def whole(self, part: Any) -> Any:
        rules = super().whole(part)
        last = {"unevaluatedProperties", "unevaluatedItems"}
        if is_object(part) and last & part.keys():
            rest = {key: rule for key, rule in part.items() if key not in last}
            left = {key: rule for key, rule in part.items() if key in last}
            rules["allOf"] = [{"if": rest, "then": {**left, "if": rest}}]
        return rules

    def others(self, part: Any, value: dict[str, Any]) -> Iterator[str]:
        patterns = part.get("patternProperties", {})
        for name in super().others(part, value):
            if self.is_over:
                return
            if not any(self.matches(name, patterns, pattern) for pattern in patterns):
                yield name

    def matches(self, name: str, patterns: Any, pattern: str) -> bool:
        return self.fits_part(name, patterns, f"/{pattern}", {"pattern": pattern})

    def within(self, part: Any, value: Any) -> Iterator[tuple[Any, Items]]:
        for below in self.parts_for(part, value):
            yield below, [((), value)]
        patterns = part.get("patternProperties", {})
        for pattern, below in patterns.items() if is_object(value) else ():
            names = (name for name in value if self.matches(name, patterns, pattern))
            yield below, (((name,), value[name]) for name in names)
        yield from super().within(part, value)

    def parts_for(self, part: Any, value: Any) -> Iterator[Any]:
        """Yield the parts within a part that are for the same value."""
        yield from self.beside(part)
        if "if" in part:
            key = "then" if self.fits_part(value, part["if"]) else "else"
            yield part.get(key, True)
        for key in ("dependentSchemas", "dependencies"):
            for name, below in part.get(key, {}).items():
                if is_object(value) and name in value:
                    yield below

    def beside(self, part: Any) -> list[Any]:
        """Return what a part refers to, and what it consists of."""
        names = [part[key] for key in ("$ref", "$dynamicRef") if key in part]
        for name in names:
            if name not in self.targets:
                self.targets[name] = self.registry.resolver(BASE).lookup(name).contents
        return [*(self.targets[name] for name in names), *part.get("allOf", ())]

    def spread(self, part: Any) -> Iterator[Any]:
        """Yield a part, and all that is beside it."""
        if is_object(part):
            yield from chain([part], *map(self.spread, self.beside(part)))

    # Choices.

    def choice(
        self, key: str, parts: list[Any], value: Any, place: Place
    ) -> Iterable[Fault]:
        """Return the faults of the part that a value is meant for, else of the nearest."""
        is_one = key == "oneOf"
        is_several = is_one and self.fits_part(value, parts, "any", {"anyOf": parts})
        if is_several and not self.is_over:
            return self.words({"oneOf": [True, True]}, value, place)
        near = [part for part in parts if self.is_of_type(part, value)]
        types = [*dict.fromkeys(chain(*map(self.types, parts)))]
        if types and not near:
            return self.words({"type": types}, value, place)
        tagged = [(part, self.tags(part)) for part in near]
        for name in tagged[0][1] if tagged and is_object(value) else ():
            is_tag = len(tagged) > 1 and all(name in tags for _, tags in tagged)
            if is_tag and name in value:
                options = [option for _, tags in tagged for option in tags[name]]
                tagged = [each for each in tagged if value[name] in each[1][name]]
                if not tagged:
                    return self.words({"enum": options}, value[name], (*place, name))
        explained = [self.explain(part, value, place) for part, _ in tagged]
        if len(explained) == 1 and (is_object(value) or is_array(value)):
            return explained[0]
        explained = sorted(filter(None, explained), key=len)
        nearest: list[Fault] = []
        if explained:
            nearest = max(explained, key=lambda few: min(len(at) for at, _ in few))
        lines = [(NEAREST + line(*fault)).split(NEAREST)[-1] for fault in nearest]
        text = shortened(NEAREST + "; ".join(lines), 10 * MAX_CHARACTERS)
        return [(place, text if lines else "fits no choice")]

    def is_of_type(self, part: Any, value: Any) -> bool:
        """Return whether a part is for values of this type."""
        return part is not False and all(
            self.fits_part(value, each, "type", {"type": each["type"]})
            for each in self.spread(part)
            if "type" in each
        )

    def types(self, part: Any) -> Iterator[str]:
        """Yield the types of the values that a part is for, if it says so."""
        for each in self.spread(part):
            rule = each.get("type", [])
            yield from [rule] if isinstance(rule, str) else rule

    def tags(self, part: Any) -> dict[str, list[Any]]:
        """Return the values of properties that a part has all of, by name."""
        values: dict[str, list[Any]] = {}
        for each in self.spread(part):
            for name, below in each.get("properties", {}).items():
                for rule in self.spread(below):
                    if "const" in rule or "enum" in rule:
                        values[name] = rule.get("enum") or [rule["const"]]
        return values


def absolute(rule: Any, base: str, is_draft_7: bool, is_map: bool = False) -> Any:
    """Return a copy of a schema with absolute references, as parts of it need them."""
    if is_array(rule):
        return [absolute(item, base, is_draft_7) for item in rule]
    if not is_object(rule):
        return rule
    result = dict(rule)
    if is_draft_7 and isinstance(rule.get("$ref"), str):  # It stands alone there.
        counting = {"$ref", "$defs", "definitions"} & rule.keys()
        result = {key: rule[key] for key in counting}
    if isinstance(name := result.get("$id"), str) and name[:1] != "#":
        base = urljoin(base, name)
    for key, value in result.items():
        if key in ("$ref", "$dynamicRef") and isinstance(value, str):
            result[key] = base + value if value[:1] == "#" else urljoin(base, value)
        elif is_map and is_array(value):  # Of `dependencies`.
            result[key] = {"required": value}
        elif is_map or key not in ("const", "enum"):
            result[key] = absolute(value, base, is_draft_7, not is_map and key in MAPS)
    return result
