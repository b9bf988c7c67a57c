"""The keywords of JSON Schema that most schemas have: what each of them asks of a value."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from .rules import (
    ARRAY,
    CONTAINER,
    NUMBER,
    Fault,
    Keyword,
    Rule,
    Test,
    costly,
    distinct,
    is_integer,
    is_number,
    of_rows,
    size,
    tested,
)

if TYPE_CHECKING:
    from .schema import Schema, Walk

Others = Callable[["Walk", Any], Iterable[Any]]
"""Returns the names or places in a value that other keywords leave."""
# Unknown names that are reported of one object.
MAX_NAMES = 500
TYPES: dict[str, Test] = {
    "null": lambda value: value is None,
    "boolean": lambda value: value is True or value is False,
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, ARRAY),
    "number": is_number,
    "integer": is_integer,
}


def type_(schema: Schema, keyword: str, part: Any) -> Rule:
    kinds = [part[keyword]] if isinstance(part[keyword], str) else part[keyword]
    tests = [TYPES[name] for name in kinds]
    if len(tests) == 1:
        return tested(keyword, kinds, tests[0])
    return tested(keyword, kinds, lambda value: any(test(value) for test in tests))


def enum(schema: Schema, keyword: str, part: Any) -> Rule:
    values = part[keyword] if keyword == "enum" else [part[keyword]]
    known = {*map(distinct, values)}
    largest = max((size(value, math.inf) for value in values), default=0)

    def test(value: Any) -> bool:
        is_short = not isinstance(value, CONTAINER) or size(value, largest) <= largest
        return is_short and distinct(value) in known

    return costly(size, tested(keyword, part[keyword], test))


def pattern(schema: Schema, keyword: str, part: Any) -> Rule:
    return costly(len, tested(keyword, part[keyword], schema.pattern(part[keyword])))


def format_(schema: Schema, keyword: str, part: Any) -> Rule | None:
    test = schema.formats.get(part[keyword])
    return costly(len, tested(keyword, part[keyword], test)) if test else None


def required(schema: Schema, keyword: str, part: Any) -> Rule:
    names = part[keyword]
    needed = {*names}

    def rule(walk: Walk, value: dict[str, Any]) -> Sequence[Fault]:
        if value.keys() >= needed:
            return ()
        return [(keyword, None, value, (name,)) for name in names if name not in value]

    return rule


def properties(schema: Schema, keyword: str, part: Any) -> Rule:
    parts = part[keyword].items()
    return of_rows(
        lambda walk, value: [(n, part, value[n]) for n, part in parts if n in value]
    )


def additional_properties(schema: Schema, keyword: str, part: Any) -> Rule:
    named = part.get("properties", {}).keys()
    patterns = [*map(schema.pattern, part.get("patternProperties", ()))]

    def others(walk: Walk, value: dict[str, Any]) -> Iterable[str]:
        if not patterns and value.keys() <= named:
            return ()
        left = (name for name in value if name not in named)
        return (name for name in left if not any(test(name) for test in patterns))

    if part[keyword] is False:
        return no_others(others)
    return of_others(part[keyword], others)


def no_others(others: Others) -> Rule:
    """Return the rule that there are no other names; all that there are are one fault."""

    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        names = [*islice(others(walk, value), MAX_NAMES + 1)]
        return [("additionalProperties", names, value, ())] if names else ()

    return costly(len, rule)


def of_others(schema: Any, others: Others) -> Rule:
    """Return the rule for what other keywords leave."""

    def rows(walk: Walk, value: Any) -> Iterable[tuple[str | int, Any, Any]]:
        return ((at, schema, value[at]) for at in others(walk, value))

    return costly(len, of_rows(rows))


def items(schema: Schema, keyword: str, part: Any) -> Rule | None:
    start, rest = part.get("prefixItems", []), part.get("items", True)
    if isinstance(rest, list):  # As draft-07 has it.
        start, rest = rest, part.get("additionalItems", True)
    elif keyword == "prefixItems" and "items" in part:
        return None  # `items` checks both.
    count = len(start)
    return of_rows(
        lambda walk, value: (
            (at, start[at] if at < count else rest, item)
            for at, item in enumerate(value)
        )
    )


def limit(fits: Callable[[Any, Any], bool]) -> Callable[..., Rule]:
    def rule_of(schema: Schema, keyword: str, part: Any) -> Rule:
        rule = part[keyword]
        return tested(keyword, rule, lambda value: fits(value, rule))

    return rule_of


SIZED = limit(lambda value, rule: len(value) >= rule)
LIMITED = limit(lambda value, rule: len(value) <= rule)
LEAST, MOST = limit(operator.ge), limit(operator.le)
ABOVE, BELOW = limit(operator.gt), limit(operator.lt)
KEYWORDS: dict[str, Keyword] = {
    "type": Keyword(object, type_, "{value} is not of type {rule}"),
    "enum": Keyword(object, enum, "{value} is not one of {rule}"),
    "const": Keyword(object, enum, "{value} is not {rule}"),
    "minLength": Keyword(str, SIZED, "{value} is shorter than {rule} character{s}"),
    "maxLength": Keyword(str, LIMITED, "{value} is longer than {rule} character{s}"),
    "pattern": Keyword(str, pattern, "{value} does not match {rule}"),
    "format": Keyword(str, format_, "{value} is not a {rule}"),
    "minimum": Keyword(NUMBER, LEAST, "{value} is less than the minimum of {rule}"),
    "maximum": Keyword(NUMBER, MOST, "{value} is greater than the maximum of {rule}"),
    "exclusiveMinimum": Keyword(NUMBER, ABOVE, "{value} is not greater than {rule}"),
    "exclusiveMaximum": Keyword(NUMBER, BELOW, "{value} is not less than {rule}"),
    "required": Keyword(dict, required, "it is required"),
    "properties": Keyword(dict, properties),
    "additionalProperties": Keyword(
        dict, additional_properties, "no such propert{y}: {rule}"
    ),
    "minItems": Keyword(ARRAY, SIZED, "{value} has less than {rule} item{s}"),
    "maxItems": Keyword(ARRAY, LIMITED, "{value} has more than {rule} item{s}"),
    "prefixItems": Keyword(ARRAY, items),
    "items": Keyword(ARRAY, items),
}
TYPES_OF: dict[Any, tuple[str, ...]] = {
    str: ("string",),
    NUMBER: ("number", "integer"),
    dict: ("object",),
    ARRAY: ("array",),
}
