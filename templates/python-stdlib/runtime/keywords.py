"""The keywords of JSON Schema: what each of them asks of a value."""

from __future__ import annotations

import binascii
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .engine import Engine

Test = Callable[[Any], bool]
Fault = tuple[str, Any, Any, tuple[Any, ...]]
"""A keyword, what it asks for, the value that does not fit, and the way to that."""
Check = Callable[[Any], Fault | None]
"""Returns the first fault of a value, or None if it fits."""
# Unknown names that are reported of one object.
MAX_NAMES = 500
NUMBER = (int, float)
ARRAY = (list, tuple)


class Part:
    """A part of a schema: a rule for each of its keywords."""

    first: Check

    def __init__(self, *rules: Rule) -> None:
        self.set(rules)

    def set(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.first = in_turn([rule.first for rule in rules])


Rows = Callable[[Any], Iterable[tuple[str | int | None, Part, Any]]]
"""Returns parts of a schema with the part of a value that each is for, and its name.

The name is None if the part is for the same value.
"""


class Rule(NamedTuple):
    """A keyword of a part: its check and, if it has parts itself, where those are."""

    keyword: str
    first: Check
    rows: Rows | None = None
    choices: Sequence[Part] = ()

    @property
    def is_deep(self) -> bool:
        """Whether it asks other parts, which may ask more."""
        return bool(self.rows or self.choices) or self.keyword in ("not", "contains")


def in_turn(checks: Sequence[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def first(value: Any) -> Fault | None:
        for check in checks:
            if fault := check(value):
                return fault
        return None

    return first


def tested(keyword: str, rule: Any, test: Test) -> Rule:
    """Return the rule of a keyword that is about a value itself, and not about its parts."""
    return Rule(
        keyword, lambda value: None if test(value) else (keyword, rule, value, ())
    )


def never(keyword: str, rule: Any = None) -> Part:
    """Return a part that no value fits."""
    return Part(tested(keyword, rule, lambda value: False))


MISSING = never("required")


def below(name: str | int | None, fault: Fault) -> Fault:
    """Return the fault of a part of a value as one of the whole."""
    keyword, rule, value, place = fault
    return fault if name is None else (keyword, rule, value, (name, *place))


def of_rows(keyword: str, rows: Rows) -> Rule:
    """Return the rule of a keyword that has no faults but those of its parts."""

    def first(value: Any) -> Fault | None:
        for name, part, item in rows(value):
            if fault := part.first(item):
                return below(name, fault)
        return None

    return Rule(keyword, first, rows)


def of_kind(kind: Any, rule: Rule) -> Rule:
    """Return a rule that only values of a kind can break; true is no number."""
    fits = is_number if kind is NUMBER else lambda value: isinstance(value, kind)
    first, rows = rule.first, rule.rows
    return rule._replace(
        first=lambda value: first(value) if fits(value) else None,
        rows=rows and (lambda value: rows(value) if fits(value) else ()),
    )


# Values as JSON has them.


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and value is not True and value is not False


def is_integer(value: Any) -> bool:
    return is_number(value) and bool(value == value // 1)


TYPES: dict[str, Test] = {
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


def size(value: Any, most: float) -> int:
    """Return how many values a value consists of, or a number above `most`."""
    left, count = [value], 0
    while left and count <= most:
        item = left.pop()
        count += 1
        if isinstance(item, dict | list | tuple):
            if count + len(left) + len(item) > most:
                return count + len(left) + len(item)
            left.extend(item.values() if isinstance(item, dict) else item)
    return count


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


# Keywords for any value.


def type_(engine: Engine, keyword: str, schema: Any) -> Rule:
    kinds = [schema[keyword]] if isinstance(schema[keyword], str) else schema[keyword]
    tests = [TYPES[name] for name in kinds]
    if len(tests) == 1:
        return tested(keyword, kinds, tests[0])
    return tested(keyword, kinds, lambda value: any(test(value) for test in tests))


def enum(engine: Engine, keyword: str, schema: Any) -> Rule:
    values = schema[keyword] if keyword == "enum" else [schema[keyword]]
    known = {*map(distinct, values)}
    largest = max((size(value, math.inf) for value in values), default=0)

    def test(value: Any) -> bool:
        is_short = (
            not isinstance(value, dict | list | tuple)
            or size(value, largest) <= largest
        )
        return is_short and distinct(value) in known

    return tested(keyword, schema[keyword], test)


def ref(engine: Engine, keyword: str, schema: Any) -> Rule:
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


def not_(engine: Engine, keyword: str, schema: Any) -> Rule:
    part = engine.part(schema[keyword])
    return tested(keyword, None, lambda value: part.first(value) is not None)


def if_(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = (schema[keyword], schema.get("then", True), schema.get("else", True))
    condition, then, other = engine.parts(parts)
    return of_rows(
        keyword,
        lambda value: [(None, other if condition.first(value) else then, value)],
    )


# Keywords for strings.


def pattern(engine: Engine, keyword: str, schema: Any) -> Rule:
    return tested(keyword, schema[keyword], engine.pattern(schema[keyword]))


def format_(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    test = engine.formats.get(schema[keyword])
    return tested(keyword, schema[keyword], test) if test else None


def encoding(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    is_known = schema[keyword] == "base64"
    return tested(keyword, "base64", is_base64) if is_known else None


def media_type(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    if schema[keyword] != "application/json" or not engine.is_draft_7:
        return None  # In 2020-12 it is an annotation.
    has_base64 = schema.get("contentEncoding") == "base64"
    return tested(keyword, schema[keyword], partial(is_json, has_base64=has_base64))


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


# Keywords for objects.


def required(engine: Engine, keyword: str, schema: Any) -> Rule:
    names = schema[keyword]
    needed = {*names}

    def rows(value: dict[str, Any]) -> Iterable[tuple[str, Part, Any]]:
        if value.keys() >= needed:
            return ()
        return [(name, MISSING, value) for name in names if name not in value]

    return of_rows(keyword, rows)


def properties(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = {name: engine.part(part) for name, part in schema[keyword].items()}

    def rows(value: dict[str, Any]) -> Iterator[tuple[str, Part, Any]]:
        for name, part in parts.items():
            if name in value:
                yield name, part, value[name]

    return of_rows(keyword, rows)


def pattern_properties(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = schema[keyword].items()
    patterns = [(engine.pattern(rule), engine.part(part)) for rule, part in parts]

    def rows(value: dict[str, Any]) -> Iterator[tuple[str, Part, Any]]:
        for name, item in value.items():
            for matches, part in patterns:
                if matches(name):
                    yield name, part, item

    return of_rows(keyword, rows)


def additional_properties(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    named = schema.get("properties", {}).keys()
    patterns = [*map(engine.pattern, schema.get("patternProperties", ()))]

    def others(value: dict[str, Any]) -> Iterator[str]:
        if patterns or not value.keys() <= named:
            for name in value:
                if name not in named and not any(test(name) for test in patterns):
                    yield name

    return of_others(engine, keyword, schema, others)


def of_others(
    engine: Engine, keyword: str, schema: Any, others: Callable[[Any], Iterable[Any]]
) -> Rule:
    """Return the rule for what other keywords leave; unknown names are a single fault."""
    part = engine.part(schema[keyword])
    if schema[keyword] is not False or keyword == "unevaluatedItems":
        return of_rows(
            keyword, lambda value: ((at, part, value[at]) for at in others(value))
        )

    def first(value: Any) -> Fault | None:
        names = [*islice(others(value), MAX_NAMES + 1)]
        return ("additionalProperties", names, value, ()) if names else None

    return Rule(keyword, first)


def property_names(engine: Engine, keyword: str, schema: Any) -> Rule:
    part = engine.part(schema[keyword])
    return of_rows(keyword, lambda value: ((name, part, name) for name in value))


def dependent(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = {
        name: with_others(name, part) if isinstance(part, list) else engine.part(part)
        for name, part in schema[keyword].items()
    }
    return of_rows(
        keyword,
        lambda value: [(None, parts[name], value) for name in parts if name in value],
    )


def with_others(name: str, others: list[str]) -> Part:
    def test(value: Any) -> bool:
        return all(other in value for other in others)

    return Part(tested("dependentRequired", (name, others), test))


# Keywords for arrays.


def items(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    start, rest = schema.get("prefixItems", []), schema.get("items", True)
    if engine.is_draft_7 and isinstance(rest, list):
        start, rest = rest, schema.get("additionalItems", True)
    elif keyword == "prefixItems" and "items" in schema:
        return None  # `items` checks both.
    parts, other = engine.parts(start), engine.part(rest)
    count = len(parts)

    def rows(value: list[Any]) -> Iterator[tuple[int, Part, Any]]:
        for at, item in enumerate(value):
            yield at, (parts[at] if at < count else other), item

    return of_rows(keyword, rows)


def unique(engine: Engine, keyword: str, schema: Any) -> Rule | None:
    if not schema[keyword]:
        return None
    return tested(
        keyword, True, lambda value: len({*map(distinct, value)}) == len(value)
    )


def contains(engine: Engine, keyword: str, schema: Any) -> Rule:
    part, least = engine.part(schema[keyword]), schema.get("minContains", 1)
    most = schema.get("maxContains", math.inf)
    return tested(
        keyword,
        None,
        lambda value: least <= sum(not part.first(item) for item in value) <= most,
    )


def unevaluated(engine: Engine, keyword: str, schema: Any) -> Rule:
    engine.looks_twice = True

    def others(value: Any) -> Iterator[str | int]:
        seen = engine.seen(schema, value, keyword, set())
        places = value if isinstance(value, dict) else range(len(value))
        return (at for at in places if at not in seen)

    return of_others(engine, keyword, schema, others)


def limit(fits: Callable[[Any, Any], bool]) -> Any:
    def rule_of(engine: Engine, keyword: str, schema: Any) -> Rule:
        rule = schema[keyword]
        return tested(keyword, rule, lambda value: fits(value, rule))

    return rule_of


SIZED = limit(lambda value, rule: len(value) >= rule)
LIMITED = limit(lambda value, rule: len(value) <= rule)
# The kind of value that each keyword is for, and what makes its rule.
KEYWORDS: dict[str, tuple[Any, Callable[..., Rule | None]]] = {
    "type": (object, type_),
    "enum": (object, enum),
    "const": (object, enum),
    "minLength": (str, SIZED),
    "maxLength": (str, LIMITED),
    "pattern": (str, pattern),
    "format": (str, format_),
    "contentEncoding": (str, encoding),
    "contentMediaType": (str, media_type),
    "minimum": (NUMBER, limit(operator.ge)),
    "maximum": (NUMBER, limit(operator.le)),
    "exclusiveMinimum": (NUMBER, limit(operator.gt)),
    "exclusiveMaximum": (NUMBER, limit(operator.lt)),
    "multipleOf": (NUMBER, limit(is_multiple)),
    "minProperties": (dict, SIZED),
    "maxProperties": (dict, LIMITED),
    "required": (dict, required),
    "properties": (dict, properties),
    "patternProperties": (dict, pattern_properties),
    "additionalProperties": (dict, additional_properties),
    "propertyNames": (dict, property_names),
    "dependencies": (dict, dependent),
    "dependentRequired": (dict, dependent),
    "dependentSchemas": (dict, dependent),
    "minItems": (ARRAY, SIZED),
    "maxItems": (ARRAY, LIMITED),
    "uniqueItems": (ARRAY, unique),
    "prefixItems": (ARRAY, items),
    "items": (ARRAY, items),
    "contains": (ARRAY, contains),
    "$ref": (object, ref),
    "allOf": (object, all_of),
    "anyOf": (object, any_of),
    "oneOf": (object, any_of),
    "not": (object, not_),
    "if": (object, if_),
    "unevaluatedProperties": (dict, unevaluated),
    "unevaluatedItems": (ARRAY, unevaluated),
}
TYPES_OF: dict[Any, tuple[str, ...]] = {
    str: ("string",),
    NUMBER: ("number", "integer"),
    dict: ("object",),
    ARRAY: ("array",),
}
