"""The keywords of JSON Schema: what each of them asks of a value.

Those by which several parts of a schema apply to one value are in `choices.py`.
"""

from __future__ import annotations

import binascii
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from .rules import (
    ARRAY,
    MISSING,
    NUMBER,
    TYPES,
    Fault,
    Part,
    Rule,
    distinct,
    is_multiple,
    of_rows,
    size,
    tested,
)

if TYPE_CHECKING:
    from .engine import Engine

# Unknown names that are reported of one object.
MAX_NAMES = 500


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


def not_(engine: Engine, keyword: str, schema: Any) -> Rule:
    part = engine.part(schema[keyword])
    return tested(keyword, None, lambda value: part.first(value) is not None)


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


def dependent_required(engine: Engine, keyword: str, schema: Any) -> Rule:
    parts = {
        name: with_others(name, others) for name, others in schema[keyword].items()
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
    "additionalProperties": (dict, additional_properties),
    "propertyNames": (dict, property_names),
    "dependentRequired": (dict, dependent_required),
    "minItems": (ARRAY, SIZED),
    "maxItems": (ARRAY, LIMITED),
    "uniqueItems": (ARRAY, unique),
    "prefixItems": (ARRAY, items),
    "items": (ARRAY, items),
    "contains": (ARRAY, contains),
    "not": (object, not_),
}
TYPES_OF: dict[Any, tuple[str, ...]] = {
    str: ("string",),
    NUMBER: ("number", "integer"),
    dict: ("object",),
    ARRAY: ("array",),
}
