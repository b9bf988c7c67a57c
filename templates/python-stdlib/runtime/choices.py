"""JSON Schemas by which several parts apply to one value: choices, conditions, references."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from .engine import Engine
from .keywords import KEYWORDS, of_others, with_others
from .rules import ARRAY, Fault, Part, Rule, Test, of_rows

if TYPE_CHECKING:
    from .explain import Walk

# Keywords that hold one schema, a list of them, or some by name; `items` may be either.
ONE = {"additionalItems", "additionalProperties", "contains", "else", "if", "items"}
ONE |= {"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
LISTS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
MAPS = {"$defs", "definitions", "dependencies", "dependentSchemas"}
MAPS |= {"patternProperties", "properties"}
# Keywords that look at what others leave.
REST_OF_OBJECTS = {"additionalProperties", "unevaluatedProperties"}
REST_OF_ARRAYS = {"items", "unevaluatedItems"}
# Of what several parts of a schema ask again, verdicts are kept if they took more steps.
MIN_STEPS = 8
# Verdicts that are kept: what took long to find takes much of a message, so few get lost.
MAX_VERDICTS = 100_000


# Keywords.


def ref(engine: ChoiceEngine, keyword: str, schema: Any) -> Rule:
    part = engine.part(engine.target(schema))
    return of_rows(keyword, lambda value: [(None, part, value)])


def all_of(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = engine.parts(schema[keyword])
    return of_rows(keyword, lambda value: [(None, part, value) for part in parts])


def any_of(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = engine.parts(schema[keyword])
    most = 1 if keyword == "oneOf" else math.inf

    def first(value: Any) -> Fault | None:
        faults, fitting = [], 0
        for part in parts:
            if fault := part.first(value):
                faults.append([fault])
            else:
                fitting += 1
                if most > 1:
                    return None
        if not fitting:
            return "choices", (parts, faults), value, ()
        return None if fitting <= most else (keyword, None, value, ())

    return Rule(keyword, first, choices=parts)


def if_(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = (schema[keyword], schema.get("then", True), schema.get("else", True))
    condition, then, other = engine.parts(parts)
    return of_rows(
        keyword,
        lambda value: [(None, other if condition.first(value) else then, value)],
    )


def pattern_properties(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = schema[keyword].items()
    patterns = [(engine.pattern(rule), engine.part(part)) for rule, part in parts]

    def rows(value: dict[str, Any]) -> Iterator[tuple[str, Part, Any]]:
        for name, item in value.items():
            for matches, part in patterns:
                if matches(name):
                    yield name, part, item

    return of_rows(keyword, rows)


def dependent(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = {
        name: with_others(name, part) if isinstance(part, list) else engine.part(part)
        for name, part in schema[keyword].items()
    }
    return of_rows(
        keyword,
        lambda value: [(None, parts[name], value) for name in parts if name in value],
    )


def unevaluated(engine: ChoiceEngine, keyword: str, schema: Any) -> Rule:
    engine.looks_twice = True

    def others(value: Any) -> Iterator[str | int]:
        seen = engine.seen(schema, value, keyword, set())
        places = value if isinstance(value, dict) else range(len(value))
        return (at for at in places if at not in seen)

    return of_others(engine, keyword, schema, others)


CHOICES: dict[str, tuple[Any, Callable[..., Rule | None]]] = {
    "patternProperties": (dict, pattern_properties),
    "dependencies": (dict, dependent),
    "dependentSchemas": (dict, dependent),
    "$ref": (object, ref),
    "allOf": (object, all_of),
    "anyOf": (object, any_of),
    "oneOf": (object, any_of),
    "if": (object, if_),
    "unevaluatedProperties": (dict, unevaluated),
    "unevaluatedItems": (ARRAY, unevaluated),
}


# What fits.


class Verdicts(threading.local):
    """What is known of the value that a thread looks at."""

    def __init__(self) -> None:
        self.steps = 0
        self.known: dict[tuple[int, int], Fault | None] = {}


class ChoiceEngine(Engine):
    """The functions of any schema, and where its parts are."""

    keywords: ClassVar[Mapping[str, Any]] = {**KEYWORDS, **CHOICES}

    def __init__(
        self, schema: Any, formats: Mapping[str, Test], pattern: Callable[[str], Test]
    ) -> None:
        self.roots: dict[str, Any] = {"": schema}
        self.bases: dict[int, str] = {}
        self.anchors: dict[tuple[str, str], Any] = {}
        self.counting: dict[int, dict[str, Any]] = {}
        self.made: dict[int, Part] = {}
        self.shared: dict[int, Part] = {}
        """Those that several parts of the schema contain."""
        self.looks_twice = False
        """Whether a keyword asks what others have asked."""
        self.verdicts = Verdicts()
        super().__init__(schema, formats, pattern)
        for part in (self.made if self.looks_twice else self.shared).values():
            if any(rule.is_deep for rule in part.rules):
                part.first = self._remembered(part)
                self.first = self._first

    def whole(self, schema: Any) -> Part:
        self._find(schema, "")
        return self.part(schema)

    def walk(self) -> Walk:
        from .nearest import ChoiceWalk

        return ChoiceWalk(self)

    def _first(self, value: Any) -> Fault | None:
        known = self.verdicts.known
        known.clear()
        try:
            return self.top.first(value)
        finally:
            known.clear()  # It may hold most of a large value.

    def part(self, schema: Any) -> Part:
        if not isinstance(schema, dict) or not schema:
            return super().part(schema)
        if schema.keys() == {"$ref"}:
            return self.part(self.target(schema))
        key = id(schema)
        if key in self.made:
            self.shared[key] = self.made[key]
        else:
            self.made[key] = Part()  # It may contain itself.
            self.filled(self.made[key], schema)
        return self.made[key]

    def rules(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords that count in the dialect, always in the same dictionary."""
        if not self.is_draft_7:
            return schema
        if id(schema) not in self.counting:
            made = (
                {"$ref": schema["$ref"]} if "$ref" in schema else super().rules(schema)
            )
            self.counting[id(schema)] = made
            self.bases[id(made)] = self.bases.get(id(schema), "")
        return self.counting[id(schema)]

    # Where the parts are.

    def _find(self, schema: Any, base: str) -> None:
        if not isinstance(schema, dict) or id(schema) in self.bases:
            return
        has_reference = self.is_draft_7 and "$ref" in schema
        name = schema.get("$id")
        if isinstance(name, str) and not has_reference:
            if name.startswith("#"):
                self.anchors[base, name[1:]] = schema
            else:
                base = joined(base, name)[0]
                self.roots[base] = schema
        self.bases[id(schema)] = base
        for keyword in () if self.is_draft_7 else ("$anchor", "$dynamicAnchor"):
            if keyword in schema:
                self.anchors[base, schema[keyword]] = schema
        for keyword, rule in schema.items():
            if keyword in LISTS and isinstance(rule, list):
                for part in rule:
                    self._find(part, base)
            elif keyword in ONE:
                self._find(rule, base)
            elif keyword in MAPS and isinstance(rule, dict):
                for part in rule.values():
                    self._find(part, base)

    def target(self, part: Any) -> Any:
        """Return what the reference in a part of the schema leads to."""
        uri, fragment = joined(self.bases.get(id(part), ""), part["$ref"])
        if uri not in self.roots:
            raise LookupError(part["$ref"])
        if fragment and not fragment.startswith("/"):
            return self.anchors[uri, fragment]
        schema = self.roots[uri]
        for token in fragment.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            schema = schema[int(token)] if isinstance(schema, list) else schema[token]
        self._find(schema, uri)
        return schema

    # What has been seen.

    def _remembered(self, part: Part) -> Callable[[Any], Fault | None]:
        """Return the check of a part that may be asked again and again about one value.

        Without it, the time would grow with a power of the depth.
        """
        check, verdicts = part.first, self.verdicts

        def first(value: Any) -> Fault | None:
            place, known = (id(part), id(value)), verdicts.known
            if place in known:
                return known[place]
            begun = verdicts.steps
            verdicts.steps += (
                len(value) if isinstance(value, dict | list | tuple) else 1
            )
            fault = check(value)
            if verdicts.steps - begun >= MIN_STEPS:
                if len(known) >= MAX_VERDICTS:
                    known.clear()
                known[place] = fault
            return fault

        return first

    def seen(self, schema: Any, value: Any, but: str, done: set[int]) -> set[str | int]:
        """Return the entries of a value that a part of the schema looks at.

        The keyword `but` does not count, nor do parts that are `done`.
        """
        if not isinstance(schema, dict) or id(schema) in done:
            return set()
        done.add(id(schema))
        found: set[str | int] = set()
        if isinstance(value, dict):
            has_rest = REST_OF_OBJECTS & schema.keys() - {but}
            names = schema.get("properties", {})
            tests = [self.pattern(rule) for rule in schema.get("patternProperties", {})]
            found = {
                name
                for name in value
                if has_rest or name in names or any(test(name) for test in tests)
            }
        elif isinstance(value, list | tuple):
            has_rest = REST_OF_ARRAYS & schema.keys() - {but}
            count = len(value) if has_rest else len(schema.get("prefixItems", ()))
            found = {*range(min(count, len(value)))}
            if "contains" in schema:
                part = self.part(schema["contains"])
                found |= {at for at, item in enumerate(value) if not part.first(item)}
        for beside in self.beside(schema, value):
            if not self.part(beside).first(value):
                found |= self.seen(beside, value, "", done)
        return found

    def beside(self, schema: Any, value: Any) -> Iterator[Any]:
        """Yield the parts of the schema that look at the same value, if they fit it."""
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from schema.get(keyword, ())
        if "$ref" in schema:
            yield self.target(schema)
        if "if" in schema:
            fits = not self.part(schema["if"]).first(value)
            yield schema["if"]
            yield schema.get("then" if fits else "else", True)
        for name, part in schema.get("dependentSchemas", {}).items():
            if isinstance(value, dict) and name in value:
                yield part


def joined(base: str, reference: str) -> tuple[str, str]:
    """Return the address of a resource, and the fragment in it."""
    if reference[:1] == "#" and "%" not in reference:
        return base, reference[1:]
    from urllib.parse import (  # Takes longer than all else here.
        unquote,
        urldefrag,
        urljoin,
    )

    uri, fragment = urldefrag(
        base + reference if reference[:1] == "#" else urljoin(base, reference)
    )
    return uri, unquote(fragment)
