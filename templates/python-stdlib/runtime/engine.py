"""What is wrong with a value by a JSON Schema of 2020-12 or draft-07, with nothing but Python.

Each part of a schema becomes a function once, the first time that a value meets it.
"""

from __future__ import annotations

import binascii
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

Test = Callable[[Any], bool]
Fault = tuple[str, Any, Any, Any]
"""A keyword, what it asks for, the value that does not fit, and where that is.

A place is empty, or a name or a number and the place in what that leads to.
"""
Check = Callable[[Any], Sequence[Fault]]
"""Returns faults, none if the value fits, and no more than `MOST_FAULTS` for each keyword."""

MOST_FAULTS = 20
# Faults of the nearest of several choices.
MOST_OF_CHOICE = 4
FITS: tuple[Fault, ...] = ()

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
        self, schema: Any, formats: Mapping[str, Test], pattern: Callable[[str], Test]
    ) -> None:
        dialect = schema.get("$schema", "") if isinstance(schema, dict) else ""
        self.is_draft_7 = "draft-07" in dialect
        self.formats, self.pattern = formats, pattern
        self.roots: dict[str, Any] = {"": schema}
        self.bases: dict[int, str] = {}
        self.anchors: dict[tuple[str, str], Any] = {}
        self.counting: dict[int, dict[str, Any]] = {}
        self.made: dict[int, Check] = {}
        self.making: set[int] = set()
        self.known: dict[tuple[int, int], Sequence[Fault]] = {}
        self._find(schema, "")
        self.top = self.check(schema)

    def faults(self, value: Any) -> Sequence[Fault]:
        self.known.clear()
        try:
            return self.top(value)
        finally:
            self.known.clear()  # It may hold most of a large value.

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

    def check(self, schema: Any) -> Check:
        """Return the function for a part of the schema."""
        if schema is True or schema == {}:
            return lambda value: FITS
        if schema is False:
            return partial(one_fault, "false", None)
        key = id(schema)
        if key in self.made:
            return self.made[key]
        if key in self.making:  # It contains itself: look it up when it is done.
            return self._later(key)
        self.making.add(key)
        made = self.made[key] = in_turn(list(self._checks(schema)))
        return made

    def _later(self, key: int) -> Check:
        known, made = self.known, self.made

        def check(value: Any) -> Sequence[Fault]:
            place = key, id(value)
            found = known.get(place)
            if found is None:  # Another thread may clear it at any time.
                found = known[place] = made[key](value)
            return found

        return check

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

    def _checks(self, schema: dict[str, Any]) -> Iterator[Check]:
        schema = self.rules(schema)
        types = schema.get("type")
        for keyword, (kind, make) in KEYWORDS.items():
            if keyword in schema and (made := make(self, keyword, schema)):
                is_sure = kind is object or types in TYPES_OF[kind]
                yield made if is_sure else of_kind(kind, made)

    def _many(self, parts: Iterable[Any]) -> list[Check]:
        return [self.check(part) for part in parts]

    # Keywords for any value.

    def _type(self, keyword: str, schema: Any) -> Check:
        rule = schema[keyword]
        kinds = [rule] if isinstance(rule, str) else rule
        tests = [TYPES[name] for name in kinds]
        if len(tests) == 1:
            return told(keyword, kinds, tests[0])
        return told(keyword, kinds, lambda value: any(test(value) for test in tests))

    def _enum(self, keyword: str, schema: Any) -> Check:
        rule = schema[keyword]
        values = rule if keyword == "enum" else [rule]
        known = [distinct(one) for one in values]
        return told(keyword, rule, lambda value: distinct(value) in known)

    def _ref(self, keyword: str, schema: Any) -> Check:
        return self.check(self.target(schema))

    def _all_of(self, keyword: str, schema: Any) -> Check:
        return in_turn(self._many(schema[keyword]))

    def _any_of(self, keyword: str, schema: Any) -> Check:
        checks, most = self._many(schema[keyword]), math.inf
        if keyword == "oneOf":
            most = 1

        def check(value: Any) -> Sequence[Fault]:
            misfits, fitting = [], 0
            for one in checks:
                if found := one(value):
                    misfits.append(found[:MOST_OF_CHOICE])
                else:
                    fitting += 1
                    if most > 1:
                        return FITS
            if not fitting:
                nearest = min(misfits, key=lambda each: (-depth(each), len(each)))
                return one_fault("no choice", nearest, value)
            return FITS if fitting <= most else one_fault(keyword, None, value)

        return check

    def _not(self, keyword: str, schema: Any) -> Check:
        check = self.check(schema[keyword])
        return told(keyword, None, lambda value: bool(check(value)))

    def _if(self, keyword: str, schema: Any) -> Check:
        parts = (schema[keyword], schema.get("then", True), schema.get("else", True))
        check, then, other = self._many(parts)
        return lambda value: other(value) if check(value) else then(value)

    # Keywords for strings.

    def _pattern(self, keyword: str, schema: Any) -> Check:
        return told(keyword, schema[keyword], self.pattern(schema[keyword]))

    def _format(self, keyword: str, schema: Any) -> Check | None:
        test = self.formats.get(schema[keyword])
        return told(keyword, schema[keyword], test) if test else None

    def _encoding(self, keyword: str, schema: Any) -> Check | None:
        is_known = schema[keyword] == "base64"
        return told(keyword, "base64", is_base64) if is_known else None

    def _media_type(self, keyword: str, schema: Any) -> Check | None:
        if schema[keyword] != "application/json" or not self.is_draft_7:
            return None  # In 2020-12 it is an annotation.
        has_base64 = schema.get("contentEncoding") == "base64"
        test = partial(is_json, has_base64=has_base64)
        return told(keyword, schema[keyword], test)

    # Keywords for objects.

    def _required(self, keyword: str, schema: Any) -> Check:
        names = schema[keyword]
        return lambda value: [
            (keyword, None, value, (name, ())) for name in names if name not in value
        ]

    def _properties(self, keyword: str, schema: Any) -> Check | None:
        """Check at once what `properties` and the two like it say, for the first of them."""
        alike = ("properties", "patternProperties", "additionalProperties")
        if keyword != next(one for one in alike if one in schema):
            return None

        def made(part: Any) -> Check:
            is_absent = partial(one_fault, "additionalProperties", None)
            return is_absent if part is False else self.check(part)

        named = {key: made(part) for key, part in schema.get(alike[0], {}).items()}
        patterns = [
            (self.pattern(pattern), made(part))
            for pattern, part in schema.get(alike[1], {}).items()
        ]
        other = made(schema.get(alike[2], True))

        def check(value: dict[str, Any]) -> Sequence[Fault]:
            every: list[Fault] = []
            for name, item in value.items():
                checks = [part for matches, part in patterns if matches(name)]
                if name in named:
                    checks.append(named[name])
                for one in checks or (other,):
                    if found := one(item):
                        every += below(name, found)
                if len(every) >= MOST_FAULTS:
                    break
            return every

        return check

    def _property_names(self, keyword: str, schema: Any) -> Check:
        check = self.check(schema[keyword])
        return lambda value: of_parts((name, check(name)) for name in value)

    def _dependent(self, keyword: str, schema: Any) -> Check:
        checks = {
            name: has_all(name, part) if isinstance(part, list) else self.check(part)
            for name, part in schema[keyword].items()
        }
        return lambda value: [
            fault for name in checks if name in value for fault in checks[name](value)
        ]

    # Keywords for arrays.

    def _items(self, keyword: str, schema: Any) -> Check | None:
        first, rest = schema.get("prefixItems", []), schema.get("items", True)
        if self.is_draft_7 and isinstance(rest, list):
            first, rest = rest, schema.get("additionalItems", True)
        elif keyword == "prefixItems" and "items" in schema:
            return None  # `items` checks both.
        checks, other = self._many(first), self.check(rest)
        count = len(checks)

        def check(value: list[Any]) -> Sequence[Fault]:
            every: list[Fault] = []
            for at, item in enumerate(value):
                if found := (checks[at] if at < count else other)(item):
                    every += below(at, found)
                    if len(every) >= MOST_FAULTS:
                        break
            return every

        return check

    def _unique(self, keyword: str, schema: Any) -> Check | None:
        if not schema[keyword]:
            return None
        return told(
            keyword, True, lambda value: len({*map(distinct, value)}) == len(value)
        )

    def _contains(self, keyword: str, schema: Any) -> Check:
        check, least = self.check(schema[keyword]), schema.get("minContains", 1)
        most = schema.get("maxContains", math.inf)
        return told(
            keyword,
            None,
            lambda value: least <= sum(not check(item) for item in value) <= most,
        )

    # What no other keyword looks at.

    def _unevaluated(self, keyword: str, schema: Any) -> Check:
        check = self.check(schema[keyword])

        def check_rest(value: Any) -> Sequence[Fault]:
            seen = self.seen(schema, value, keyword)
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            return of_parts((at, check(one)) for at, one in parts if at not in seen)

        return check_rest

    def seen(self, schema: Any, value: Any, but: str = "") -> set[str | int]:
        """Return the entries of a value that a part of the schema looks at."""
        if not isinstance(schema, dict):
            return set()
        found: set[str | int] = set()
        if isinstance(value, dict):
            has_rest = REST_OF_OBJECTS & schema.keys() - {but}
            names = schema.get("properties", {})
            tests = [self.pattern(one) for one in schema.get("patternProperties", {})]
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
                check = self.check(schema["contains"])
                found |= {at for at, item in enumerate(value) if not check(item)}
        for part in self.beside(schema, value):
            if not self.check(part)(value):
                found |= self.seen(part, value)
        return found

    def beside(self, schema: Any, value: Any) -> Iterator[Any]:
        """Yield the parts of the schema that look at the same value, if they fit it."""
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from schema.get(keyword, ())
        if "$ref" in schema:
            yield self.target(schema)
        if "if" in schema:
            fits = not self.check(schema["if"])(value)
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


def has_all(name: str, others: list[str]) -> Check:
    def test(value: Any) -> bool:
        return all(one in value for one in others)

    return told("dependentRequired", (name, others), test)


def one_fault(keyword: str, rule: Any, value: Any) -> Sequence[Fault]:
    return [(keyword, rule, value, ())]


def told(keyword: str, rule: Any, test: Test) -> Check:
    """Return a check for what is a fault of the value itself, and of none of its parts."""
    return lambda value: FITS if test(value) else [(keyword, rule, value, ())]


def below(name: str | int, faults: Sequence[Fault]) -> list[Fault]:
    """Return faults of a part as those of the whole."""
    return [(keyword, rule, value, (name, at)) for keyword, rule, value, at in faults]


def of_parts(rows: Iterable[tuple[str | int, Sequence[Fault]]]) -> Sequence[Fault]:
    every: list[Fault] = []
    for name, faults in rows:
        every += below(name, faults)
        if len(every) >= MOST_FAULTS:
            break
    return every


def depth(faults: Sequence[Fault]) -> int:
    """Return how deep the deepest of some faults is."""
    deepest = 0
    for *_, place in faults:
        count = 0
        while place:
            count, place = count + 1, place[1]
        deepest = max(deepest, count)
    return deepest


def in_turn(checks: list[Check]) -> Check:
    """Return one check for several. After a wrong type, nothing else is told."""
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> Sequence[Fault]:
        every: list[Fault] = []
        for one in checks:
            if found := one(value):
                every += found
                keyword, *_, place = found[0]
                is_of_type = keyword == "type" and not place
                if is_of_type or len(every) >= MOST_FAULTS:
                    break
        return every

    return check


def of_kind(kind: Any, check: Check) -> Check:
    """Return a check that only values of a kind can fail; true is no number."""
    fits = is_number if kind is NUMBER else lambda value: isinstance(value, kind)
    return lambda value: check(value) if fits(value) else FITS


def limit(does: Callable[[Any, Any], bool]) -> Any:
    def made(engine: Engine, keyword: str, schema: Any) -> Check:
        rule = schema[keyword]
        return told(keyword, rule, lambda value: does(value, rule))

    return made


SIZED = limit(lambda value, rule: len(value) >= rule)
LIMITED = limit(lambda value, rule: len(value) <= rule)
ARRAY = (list, tuple)
# The keywords: the kind of value that each is for, and what makes its function.
KEYWORDS: dict[str, tuple[Any, Any]] = {
    "type": (object, Engine._type),
    "enum": (object, Engine._enum),
    "const": (object, Engine._enum),
    "minLength": (str, SIZED),
    "maxLength": (str, LIMITED),
    "pattern": (str, Engine._pattern),
    "format": (str, Engine._format),
    "contentEncoding": (str, Engine._encoding),
    "contentMediaType": (str, Engine._media_type),
    "minimum": (NUMBER, limit(operator.ge)),
    "maximum": (NUMBER, limit(operator.le)),
    "exclusiveMinimum": (NUMBER, limit(operator.gt)),
    "exclusiveMaximum": (NUMBER, limit(operator.lt)),
    "multipleOf": (NUMBER, limit(is_multiple)),
    "minProperties": (dict, SIZED),
    "maxProperties": (dict, LIMITED),
    "required": (dict, Engine._required),
    "properties": (dict, Engine._properties),
    "patternProperties": (dict, Engine._properties),
    "additionalProperties": (dict, Engine._properties),
    "propertyNames": (dict, Engine._property_names),
    "dependencies": (dict, Engine._dependent),
    "dependentRequired": (dict, Engine._dependent),
    "dependentSchemas": (dict, Engine._dependent),
    "unevaluatedProperties": (dict, Engine._unevaluated),
    "minItems": (ARRAY, SIZED),
    "maxItems": (ARRAY, LIMITED),
    "uniqueItems": (ARRAY, Engine._unique),
    "prefixItems": (ARRAY, Engine._items),
    "items": (ARRAY, Engine._items),
    "contains": (ARRAY, Engine._contains),
    "unevaluatedItems": (ARRAY, Engine._unevaluated),
    "$ref": (object, Engine._ref),
    "allOf": (object, Engine._all_of),
    "anyOf": (object, Engine._any_of),
    "oneOf": (object, Engine._any_of),
    "not": (object, Engine._not),
    "if": (object, Engine._if),
}
TYPES_OF: dict[Any, tuple[str, ...]] = {
    str: ("string",),
    NUMBER: ("number", "integer"),
    dict: ("object",),
    ARRAY: ("array",),
}
