"""Keywords of JSON Schema that few schemas have, and how its dialects differ."""

from __future__ import annotations

import binascii
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

from .keywords import KEYWORDS, LIMITED, SIZED, limit
from .rules import (
    ARRAY,
    NUMBER,
    Fault,
    Keyword,
    Rule,
    costly,
    distinct,
    of_rows,
    size,
    tested,
)
from .schema import Schema, Walk

# Keywords of 2020-12 alone.
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems"}
NOT_IN_DRAFT_7 |= {"$anchor", "unevaluatedItems", "unevaluatedProperties"}
NOT_IN_DRAFT_7 |= {"minContains", "maxContains"}


def encoding(schema: RareSchema, keyword: str, part: Any) -> Rule | None:
    is_known = part[keyword] == "base64"
    return costly(len, tested(keyword, "base64", is_base64)) if is_known else None


def media_type(schema: RareSchema, keyword: str, part: Any) -> Rule | None:
    if part[keyword] != "application/json" or not schema.is_draft_7:
        return None  # In 2020-12 it is an annotation.
    has_base64 = part.get("contentEncoding") == "base64"
    test = partial(is_json, has_base64=has_base64)
    return costly(len, tested(keyword, part[keyword], test))


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


def property_names(schema: RareSchema, keyword: str, part: Any) -> Rule:
    return of_rows(lambda walk, value: ((n, part[keyword], n) for n in value))


def dependent_required(schema: RareSchema, keyword: str, part: Any) -> Rule:
    def rule(walk: Walk, value: dict[str, Any]) -> Sequence[Fault]:
        faults: list[Fault] = []
        for name, others in part[keyword].items():
            if name in value and not value.keys() >= {*others}:
                text = f"with {name}, it must have {', '.join(others)}"
                faults.append((keyword, text, value, ()))
        return faults

    return rule


def unique(schema: RareSchema, keyword: str, part: Any) -> Rule | None:
    if not part[keyword]:
        return None
    return costly(
        size,
        tested(keyword, True, lambda value: len({*map(distinct, value)}) == len(value)),
    )


def contains(schema: RareSchema, keyword: str, part: Any) -> Rule:
    least, most = part.get("minContains", 1), part.get("maxContains", math.inf)

    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        count = sum(not walk.first(part[keyword], item) for item in value)
        fits = least <= count <= most or walk.is_cut
        return () if fits else [(keyword, None, value, ())]

    return costly(len, rule)


def not_(schema: RareSchema, keyword: str, part: Any) -> Rule:
    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        fits = walk.first(part[keyword], value) is not None or walk.is_cut
        return () if fits else [(keyword, None, value, ())]

    return rule


RARE: dict[str, Keyword] = {
    "contentEncoding": Keyword(str, encoding, "{value} is not encoded as base64"),
    "contentMediaType": Keyword(str, media_type, "{value} is not application/json"),
    "multipleOf": Keyword(
        NUMBER, limit(is_multiple), "{value} is not a multiple of {rule}"
    ),
    "minProperties": Keyword(dict, SIZED, "{value} has less than {rule} propert{y}"),
    "maxProperties": Keyword(dict, LIMITED, "{value} has more than {rule} propert{y}"),
    "propertyNames": Keyword(dict, property_names),
    "dependentRequired": Keyword(dict, dependent_required, "{rule}"),
    "uniqueItems": Keyword(ARRAY, unique, "{value} has items that are equal"),
    "contains": Keyword(
        ARRAY, contains, "{value} does not contain as many fitting items as it must"
    ),
    "not": Keyword(object, not_, "{value} fits what it must not fit"),
}


class RareSchema(Schema):
    """A schema with any keyword that looks at one part of a value."""

    keywords: ClassVar[Mapping[str, Keyword]] = {**KEYWORDS, **RARE}

    @cached_property
    def is_draft_7(self) -> bool:
        has_dialect = isinstance(self.schema, dict)
        return has_dialect and "draft-07" in self.schema.get("$schema", "")

    def rules_of_keywords(self, part: dict[str, Any]) -> Iterator[Rule]:
        if self.is_draft_7:
            counting = part.keys() - NOT_IN_DRAFT_7
            part = {key: rule for key, rule in part.items() if key in counting}
        return super().rules_of_keywords(part)
