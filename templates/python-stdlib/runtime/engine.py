"""Whether a value fits a JSON Schema of 2020-12 or draft-07, with nothing but Python.

Each part of a schema becomes a function once, the first time that a value meets it.
"""

from __future__ import annotations

import binascii
import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

Test = Callable[[Any], bool]
Scope = tuple[str, ...]  # The resources that lead to a part, for `$dynamicRef`.

# Keywords that hold one schema, a list of them, or some by name; `items` may be either.
ONE = {"additionalItems", "additionalProperties", "contains", "else", "if", "items"}
ONE |= {"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
LISTS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
MAPS = {"$defs", "definitions", "dependencies", "dependentSchemas"}
MAPS |= {"patternProperties", "properties"}
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems", "$dynamicRef"}
NOT_IN_DRAFT_7 |= {"$anchor", "unevaluatedItems", "unevaluatedProperties"}
NOT_IN_DRAFT_7 |= {"minContains", "maxContains"}
NUMBER = (int, float)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and value is not True and value is not False


def is_integer(value: Any) -> bool:
    return is_number(value) and bool(value == value // 1)


TYPES: Mapping[str, Test] = {
    "null": lambda value: value is None,
    "boolean": lambda value: value is True or value is False,
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list | tuple),
    "number": is_number,
    "integer": is_integer,
}


def distinct(value: Any) -> object:
    """Return what is the same for values that are equal in JSON, as 1 and 1.0 are."""
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, NUMBER):
        # As text: a client can choose numbers with the same hash.
        return int, hex(int(value)) if value == int(value) else float(value).hex()
    if isinstance(value, list | tuple):
        return (list, *map(distinct, value))
    if isinstance(value, dict):
        return dict, frozenset((key, distinct(item)) for key, item in value.items())
    return value


def is_multiple(number: float, of: float) -> bool:
    """Return whether a number is a multiple, both as they are written in JSON."""
    if isinstance(number, int) and isinstance(of, int):
        return number % of == 0
    (digits, power), (step, least) = scaled(number), scaled(of)
    low = min(power, least)
    rest: int = digits * 10 ** (power - low) % (step * 10 ** (least - low))
    return rest == 0


def scaled(number: float) -> tuple[int, int]:
    """Return the digits of a number, and the power of ten to multiply them with."""
    if isinstance(number, int):
        return number, 0
    written, _, power = repr(number).partition("e")
    whole, _, fraction = written.partition(".")
    return int(whole + fraction), int(power or 0) - len(fraction)


class Engine:
    """The functions of a schema, and where its parts are."""

    def __init__(
        self,
        schema: Any,
        formats: Mapping[str, Test],
        pattern: Callable[[str], Test],
    ) -> None:
        dialect = schema.get("$schema", "") if isinstance(schema, dict) else ""
        self.is_draft_7 = "draft-07" in dialect
        self.formats, self.pattern = formats, pattern
        self.roots: dict[str, Any] = {}
        self.bases: dict[int, str] = {}
        self.anchors: dict[tuple[str, str], Any] = {}
        self.dynamic: set[tuple[str, str]] = set()
        self.counting: dict[int, dict[str, Any]] = {}
        self.made: dict[tuple[int, Scope], Test] = {}
        self.making: set[tuple[int, Scope]] = set()
        self.known: dict[tuple[tuple[int, Scope], int], bool] = {}
        self.schema = schema
        self.lock = threading.RLock()
        self.roots[""] = schema
        self._find(schema, "")
        self.has_dynamic = bool(self.dynamic)
        self._top = self.test(schema)

    def is_valid(self, value: Any) -> bool:
        self.known.clear()
        return self._top(value)

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
                if keyword == "$dynamicAnchor":
                    self.dynamic.add((base, schema[keyword]))
        for keyword, rule in schema.items():
            if keyword in LISTS and isinstance(rule, list):
                for part in rule:
                    self._find(part, base)
            elif keyword in ONE:
                self._find(rule, base)
            elif keyword in MAPS and isinstance(rule, dict):
                for part in rule.values():
                    self._find(part, base)

    def _target(self, reference: str, base: str) -> tuple[Any, str, str]:
        """Return what a reference leads to, its base, and its name if it is an anchor."""
        uri, fragment = joined(base, reference)
        if uri not in self.roots:
            raise LookupError(reference)
        schema = self.roots[uri]
        if fragment and not fragment.startswith("/"):
            return self.anchors[uri, fragment], uri, fragment
        for token in fragment.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            schema = schema[int(token)] if isinstance(schema, list) else schema[token]
        self._find(schema, uri)
        return schema, self.bases.get(id(schema), uri), ""

    def target(self, schema: Any, keyword: str, scope: Scope) -> Any:
        """Return what a reference in a part of the schema leads to."""
        target, base, name = self._target(
            schema[keyword], self.bases.get(id(schema), "")
        )
        if keyword == "$dynamicRef" and (base, name) in self.dynamic:
            places = (at for at in (*scope, base) if (at, name) in self.dynamic)
            return self.anchors[next(places), name]
        return target

    # What they do.

    def test(self, schema: Any, scope: Scope = ()) -> Test:
        """Return the function that tells whether a value fits a part of the schema."""
        if schema is True or schema == {}:
            return lambda value: True
        if schema is False:
            return lambda value: False
        scope = self.inner(schema, scope)
        key = id(schema), scope
        if key in self.made:
            return self.made[key]
        if key in self.making:  # It contains itself: look it up when it is done.
            return self._later(key)
        self.making.add(key)
        made = self.made[key] = self._all(list(self._tests(schema, scope)))
        return made

    def inner(self, schema: Any, scope: Scope) -> Scope:
        """Return the resources that lead to what is in a part of the schema."""
        base = self.bases.get(id(schema), "")
        return (*scope, base) if self.has_dynamic and base not in scope else scope

    def _later(self, key: tuple[int, Scope]) -> Test:
        known, made = self.known, self.made

        def test(value: Any) -> bool:
            place = key, id(value)
            verdict = known.get(place)
            if verdict is None:  # Another thread may clear it at any time.
                verdict = known[place] = made[key](value)
            return verdict

        return test

    @staticmethod
    def _all(tests: list[Test]) -> Test:
        if len(tests) == 1:
            return tests[0]
        if len(tests) == 2:
            first, second = tests
            return lambda value: first(value) and second(value)

        def test(value: Any) -> bool:
            for one in tests:
                if not one(value):
                    return False
            return True

        return test

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

    def _tests(self, schema: dict[str, Any], scope: Scope) -> Iterator[Test]:
        schema = self.rules(schema)
        for kinds, keywords in KINDS.items():
            tests = [
                made
                for keyword in keywords
                if keyword in schema
                and (made := keywords[keyword](self, schema[keyword], schema, scope))
            ]
            if not tests:
                continue
            test = self._all(tests)
            types = schema.get("type")
            yield (
                test if not kinds[0] or types in kinds[1] else _of_kind(kinds[0], test)
            )

    # For those who explain what is wrong.

    def test_of(self, schema: dict[str, Any], keyword: str, scope: Scope) -> Test:
        """Return the function for one keyword of a part."""
        for kinds, keywords in KINDS.items():
            if keyword in keywords and (
                made := keywords[keyword](self, schema[keyword], schema, scope)
            ):
                return _of_kind(kinds[0], made) if kinds[0] else made
        return lambda value: True

    def parts_of_property(self, schema: dict[str, Any], name: str) -> list[Any]:
        """Return the parts of `properties` and its like that are for a property."""
        patterns = schema.get("patternProperties", {})
        parts = [
            part for key, part in schema.get("properties", {}).items() if key == name
        ]
        parts += [
            part for pattern, part in patterns.items() if self.pattern(pattern)(name)
        ]
        return parts or [schema.get("additionalProperties", True)]

    def part_of_item(self, schema: dict[str, Any], at: int) -> Any:
        first, rest = schema.get("prefixItems", []), schema.get("items", True)
        if self.is_draft_7 and isinstance(rest, list):
            first, rest = rest, schema.get("additionalItems", True)
        return first[at] if at < len(first) else rest

    def _many(self, parts: Any, scope: Scope) -> list[Test]:
        return [self.test(part, scope) for part in parts]

    # Keywords for any value.

    def _type(self, rule: Any, schema: Any, scope: Scope) -> Test:
        if isinstance(rule, str):
            return TYPES[rule]
        tests = [TYPES[name] for name in rule]
        return lambda value: any(test(value) for test in tests)

    def _enum(self, rule: Any, schema: Any, scope: Scope) -> Test:
        if all(isinstance(one, str) for one in rule):
            return lambda value: isinstance(value, str) and value in rule
        known = [distinct(one) for one in rule]
        return lambda value: distinct(value) in known

    def _const(self, rule: Any, schema: Any, scope: Scope) -> Test:
        return self._enum([rule], schema, scope)

    def _ref(self, rule: str, schema: Any, scope: Scope) -> Test:
        return self.test(self.target(schema, "$ref", scope), scope)

    def _dynamic_ref(self, rule: str, schema: Any, scope: Scope) -> Test:
        return self.test(self.target(schema, "$dynamicRef", scope), scope)

    def _all_of(self, rule: Any, schema: Any, scope: Scope) -> Test:
        return self._all(self._many(rule, scope))

    def _any_of(self, rule: Any, schema: Any, scope: Scope) -> Test:
        tests = self._many(rule, scope)
        return lambda value: any(test(value) for test in tests)

    def _one_of(self, rule: Any, schema: Any, scope: Scope) -> Test:
        tests = self._many(rule, scope)
        return lambda value: sum(test(value) for test in tests) == 1

    def _not(self, rule: Any, schema: Any, scope: Scope) -> Test:
        test = self.test(rule, scope)
        return lambda value: not test(value)

    def _if(self, rule: Any, schema: Any, scope: Scope) -> Test | None:
        if "then" not in schema and "else" not in schema:
            return None
        test, then, other = self._many(
            (rule, schema.get("then", True), schema.get("else", True)), scope
        )
        return lambda value: then(value) if test(value) else other(value)

    # Keywords for strings and numbers.

    def _pattern(self, rule: str, schema: Any, scope: Scope) -> Test:
        return self.pattern(rule)

    def _format(self, rule: str, schema: Any, scope: Scope) -> Test | None:
        return self.formats.get(rule)

    def _encoding(self, rule: str, schema: Any, scope: Scope) -> Test | None:
        return is_base64 if rule == "base64" else None

    def _media_type(self, rule: str, schema: Any, scope: Scope) -> Test | None:
        if rule != "application/json":
            return None
        has_base64 = schema.get("contentEncoding") == "base64"
        return lambda value: is_json(value, has_base64)

    # Keywords for objects.

    def _required(self, rule: list[str], schema: Any, scope: Scope) -> Test:
        needed = frozenset(rule)
        return lambda value: value.keys() >= needed

    def _properties(self, rule: Any, schema: Any, scope: Scope) -> Test:
        """All that `properties`, `patternProperties` and `additionalProperties` say."""
        tests = {
            name: self.test(part, scope)
            for name, part in schema.get("properties", {}).items()
        }
        patterns = [
            (self.pattern(pattern), self.test(part, scope))
            for pattern, part in schema.get("patternProperties", {}).items()
        ]
        rest = schema.get("additionalProperties", True)
        if not patterns and rest is True:
            return lambda value: all(
                tests[k](v) for k, v in value.items() if k in tests
            )
        other = self.test(rest, scope)

        def test(value: dict[str, Any]) -> bool:
            for name, item in value.items():
                known = tests.get(name)
                if known and not known(item):
                    return False
                for matches, part in patterns:
                    if matches(name):
                        known = part
                        if not part(item):
                            return False
                if not known and not other(item):
                    return False
            return True

        return test

    def _once(self, rule: Any, schema: Any, scope: Scope) -> Test | None:
        """Leave it to the first of the keywords that are checked together."""
        together = [
            k
            for k in ("properties", "patternProperties", "additionalProperties")
            if k in schema
        ]
        return (
            self._properties(rule, schema, scope)
            if schema[together[0]] is rule
            else None
        )

    def _property_names(self, rule: Any, schema: Any, scope: Scope) -> Test:
        test = self.test(rule, scope)
        return lambda value: all(map(test, value))

    def _dependent(self, rule: Any, schema: Any, scope: Scope) -> Test:
        tests = {
            name: _has_all(part) if isinstance(part, list) else self.test(part, scope)
            for name, part in rule.items()
        }
        return lambda value: all(
            test(value) for name, test in tests.items() if name in value
        )

    def _unevaluated_properties(self, rule: Any, schema: Any, scope: Scope) -> Test:
        test, seen = (
            self.test(rule, scope),
            self.evaluated(schema, scope, "unevaluatedProperties"),
        )

        def check(value: dict[str, Any]) -> bool:
            known = seen(value)
            return all(test(item) for name, item in value.items() if name not in known)

        return check

    # Keywords for arrays.

    def _items(self, rule: Any, schema: Any, scope: Scope) -> Test | None:
        first, rest = schema.get("prefixItems", []), schema.get("items", True)
        if self.is_draft_7 and isinstance(rest, list):
            first, rest = rest, schema.get("additionalItems", True)
        elif rule is first and "items" in schema:
            return None  # `items` checks both.
        tests, other, count = (
            self._many(first, scope),
            self.test(rest, scope),
            len(first),
        )
        if not tests:
            return lambda value: all(map(other, value))
        return lambda value: (
            all(map(_call, tests, value)) and all(map(other, value[count:]))
        )

    def _unique(self, rule: bool, schema: Any, scope: Scope) -> Test | None:
        if not rule:
            return None
        return lambda value: len(set(map(distinct, value))) == len(value)

    def _contains(self, rule: Any, schema: Any, scope: Scope) -> Test:
        test, least = self.test(rule, scope), schema.get("minContains", 1)
        most = schema.get("maxContains", math.inf)
        return lambda value: least <= sum(map(test, value)) <= most

    def _unevaluated_items(self, rule: Any, schema: Any, scope: Scope) -> Test:
        test, seen = (
            self.test(rule, scope),
            self.evaluated(schema, scope, "unevaluatedItems"),
        )

        def check(value: list[Any]) -> bool:
            known = seen(value)
            return all(test(item) for at, item in enumerate(value) if at not in known)

        return check

    def evaluated(
        self, schema: Any, scope: Scope, but: str = ""
    ) -> Callable[[Any], set[Any]]:
        """Return the function that finds which entries of a value a part looks at."""
        found: list[Callable[[Any], set[Any]]] = []
        if not isinstance(schema, dict):
            return lambda value: set()
        scope = self.inner(schema, scope)

        def inside(part: Any, test: Test) -> None:
            later: list[Callable[[Any], set[Any]]] = []

            def seen(value: Any) -> set[Any]:
                if not test(value):
                    return set()
                with self.lock:
                    if not later:
                        later.append(self.evaluated(part, scope))
                return later[0](value)

            found.append(seen)

        for keyword in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(keyword, ()):
                inside(part, self.test(part, scope))
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in schema:
                target = self.target(schema, keyword, scope)
                inside(target, self.test(target, scope))
        if "if" in schema:
            test = self.test(schema["if"], scope)
            inside(schema["if"], test)
            inside(schema.get("then", True), test)
            inside(schema.get("else", True), lambda value: not test(value))
        for name, part in schema.get("dependentSchemas", {}).items():
            inside(part, partial(_has, name))
        names = schema.get("properties", {}).keys()
        patterns = [
            self.pattern(pattern) for pattern in schema.get("patternProperties", {})
        ]
        every = [
            k
            for k in ("additionalProperties", "unevaluatedProperties")
            if k in schema and k != but
        ]
        rest = [k for k in ("items", "unevaluatedItems") if k in schema and k != but]
        count = len(schema.get("prefixItems", ()))
        contains = (
            self.test(schema["contains"], scope) if "contains" in schema else None
        )

        def seen(value: Any) -> set[Any]:
            out: set[Any] = set()
            if isinstance(value, dict):
                out = {
                    n
                    for n in value
                    if every or n in names or any(p(n) for p in patterns)
                }
            elif isinstance(value, list | tuple):
                out = set(range(len(value) if rest else min(count, len(value))))
                if contains:
                    out |= {at for at, item in enumerate(value) if contains(item)}
            for more in found:
                out |= more(value)
            return out

        return seen


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


def is_base64(text: str) -> bool:
    try:
        binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        return False
    return True


def is_json(text: str, has_base64: bool) -> bool:
    try:
        json.loads(binascii.a2b_base64(text.encode("ascii")) if has_base64 else text)
    except (ValueError, RecursionError):
        return False
    return True


def _has(name: str, value: Any) -> bool:
    return isinstance(value, dict) and name in value


def _call(test: Test, value: Any) -> bool:
    return test(value)


def _has_all(names: list[str]) -> Test:
    return lambda value: all(name in value for name in names)


def _of_kind(kind: Any, test: Test) -> Test:
    if kind is NUMBER:
        return lambda value: not is_number(value) or test(value)
    return lambda value: not isinstance(value, kind) or test(value)


def _limit(does: Callable[[Any, Any], bool]) -> Any:
    return lambda engine, rule, schema, scope: lambda value: does(value, rule)


KINDS: dict[Any, dict[str, Any]] = {
    ((), "any"): {
        "type": Engine._type,
        "enum": Engine._enum,
        "const": Engine._const,
    },
    (str, ("string",)): {
        "minLength": _limit(lambda value, rule: len(value) >= rule),
        "maxLength": _limit(lambda value, rule: len(value) <= rule),
        "pattern": Engine._pattern,
        "format": Engine._format,
        "contentEncoding": Engine._encoding,
        "contentMediaType": Engine._media_type,
    },
    (NUMBER, ("number", "integer")): {
        "minimum": _limit(lambda value, rule: value >= rule),
        "maximum": _limit(lambda value, rule: value <= rule),
        "exclusiveMinimum": _limit(lambda value, rule: value > rule),
        "exclusiveMaximum": _limit(lambda value, rule: value < rule),
        "multipleOf": _limit(is_multiple),
    },
    (dict, ("object",)): {
        "minProperties": _limit(lambda value, rule: len(value) >= rule),
        "maxProperties": _limit(lambda value, rule: len(value) <= rule),
        "required": Engine._required,
        "properties": Engine._once,
        "patternProperties": Engine._once,
        "additionalProperties": Engine._once,
        "propertyNames": Engine._property_names,
        "dependencies": Engine._dependent,
        "dependentRequired": Engine._dependent,
        "dependentSchemas": Engine._dependent,
        "unevaluatedProperties": Engine._unevaluated_properties,
    },
    ((list, tuple), ("array",)): {
        "minItems": _limit(lambda value, rule: len(value) >= rule),
        "maxItems": _limit(lambda value, rule: len(value) <= rule),
        "uniqueItems": Engine._unique,
        "prefixItems": Engine._items,
        "items": Engine._items,
        "contains": Engine._contains,
        "unevaluatedItems": Engine._unevaluated_items,
    },
    ((), "parts"): {
        "$ref": Engine._ref,
        "$dynamicRef": Engine._dynamic_ref,
        "allOf": Engine._all_of,
        "anyOf": Engine._any_of,
        "oneOf": Engine._one_of,
        "not": Engine._not,
        "if": Engine._if,
    },
}
