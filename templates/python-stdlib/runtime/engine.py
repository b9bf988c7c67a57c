"""Whether a value fits a JSON Schema of 2020-12 or draft-07, with nothing but Python.

Each part of a schema becomes functions once, the first time that a value meets the schema.
They return the first fault of a value; `explain.py` looks for the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .keywords import KEYWORDS, TYPES_OF
from .rules import Fault, Part, Rule, Test, never, of_kind

# Keywords that hold one schema, a list of them, or some by name; `items` may be either.
ONE = {"additionalItems", "additionalProperties", "contains", "else", "if", "items"}
ONE |= {"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
LISTS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
MAPS = {"$defs", "definitions", "dependencies", "dependentSchemas"}
MAPS |= {"patternProperties", "properties"}
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems"}
NOT_IN_DRAFT_7 |= {"$anchor", "unevaluatedItems", "unevaluatedProperties"}
NOT_IN_DRAFT_7 |= {"minContains", "maxContains"}
# Keywords that look at what others leave.
REST_OF_OBJECTS = {"additionalProperties", "unevaluatedProperties"}
REST_OF_ARRAYS = {"items", "unevaluatedItems"}
# Of what several parts of a schema ask again, verdicts are kept if they took more steps.
MIN_STEPS = 8
# Verdicts that are kept: what took long to find takes much of a message, so few get lost.
MAX_VERDICTS = 100_000


class Verdicts(threading.local):
    """What is known of the value that a thread looks at."""

    def __init__(self) -> None:
        self.steps = 0
        self.known: dict[tuple[int, int], Fault | None] = {}


class Engine:
    """The functions of a schema, and where its parts are."""

    def __init__(
        self, schema: Any, formats: Mapping[str, Test], pattern: Callable[[str], Test]
    ) -> None:
        dialect = schema.get("$schema", "") if isinstance(schema, dict) else ""
        self.is_draft_7 = "draft-07" in dialect
        self.formats, self.pattern = formats, pattern
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
        self._find(schema, "")
        self.top = self.part(schema)
        self.first = self.top.first
        """Returns the first fault of a value."""
        for part in (self.made if self.looks_twice else self.shared).values():
            if any(rule.is_deep for rule in part.rules):
                part.first = self._remembered(part)
                self.first = self._first

    def _first(self, value: Any) -> Fault | None:
        known = self.verdicts.known
        known.clear()
        try:
            return self.top.first(value)
        finally:
            known.clear()  # It may hold most of a large value.

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

    # What they do.

    def part(self, schema: Any) -> Part:
        """Return the functions for a part of the schema."""
        if schema is True or schema == {}:
            return ANYTHING
        if schema is False:
            return NOTHING
        if schema.keys() == {"$ref"}:
            return self.part(self.target(schema))
        key = id(schema)
        if key in self.made:
            self.shared[key] = self.made[key]
        else:
            part = self.made[key] = Part()  # It may contain itself.
            part.set([*self._rules(self.rules(schema))])
        return self.made[key]

    def parts(self, schemas: Iterable[Any]) -> list[Part]:
        return [*map(self.part, schemas)]

    def rules(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords that count in the dialect, always in the same dictionary."""
        if not self.is_draft_7:
            return schema
        if id(schema) not in self.counting:
            counts = {"$ref"} if "$ref" in schema else schema.keys() - NOT_IN_DRAFT_7
            made = {key: rule for key, rule in schema.items() if key in counts}
            self.counting[id(schema)] = made
            self.bases[id(made)] = self.bases.get(id(schema), "")
        return self.counting[id(schema)]

    def _rules(self, schema: dict[str, Any]) -> Iterator[Rule]:
        types = schema.get("type")
        for keyword, (kind, make) in KEYWORDS.items():
            if keyword in schema and (rule := make(self, keyword, schema)):
                is_sure = kind is object or types in TYPES_OF[kind]
                yield rule if is_sure else of_kind(kind, rule)

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

    # What no other keyword looks at.

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


ANYTHING, NOTHING = Part(), never("false")
