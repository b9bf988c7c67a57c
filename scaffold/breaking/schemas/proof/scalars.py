"""Whether numbers and strings are allowed by a keyword, by what is known of them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

from scaffold.breaking.schemas.parts import Part
from scaffold.breaking.schemas.proof.facts import Facts, bound, least_of, most_of, types
from scaffold.breaking.schemas.strings import UndecidedError
from scaffold.breaking.schemas.texts import Texts

_UNCHECKED = frozenset({"duration"})

FORMATS = frozenset({
    "date", "date-time", "time", "duration", "email", "idn-email", "hostname", "idn-hostname",
    "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer",
    "relative-json-pointer", "regex", "uuid",
})  # fmt: skip
"""The formats that the engine may check."""


def is_integer(facts: Facts) -> bool:
    return any(
        "type" in part.keywords and "integer" in types(part) and "number" not in types(part)
        for part in facts.fits
    )


def is_empty_range(facts: Facts) -> bool:
    low, high = bound(facts, 1), bound(facts, -1)
    if low is None or high is None:
        return False
    (least, no_least), (most, no_most) = low, high
    most = -most  # the bound is that of the negative number
    return least > most or (least == most and (no_least or no_most))


def allows_number(facts: Facts, keyword: str, rule: Any) -> bool:
    if keyword == "multipleOf":
        given = [
            part.keywords["multipleOf"] for part in facts.fits if "multipleOf" in part.keywords
        ]
        return any(_divides(rule, one) for one in (*given, *([1] if is_integer(facts) else [])))
    sign = 1 if "inimum" in keyword else -1
    found = bound(facts, sign)
    if found is None:
        return False
    limit, is_open = found
    if is_integer(facts) and abs(limit) < 2**52:
        # An integer above 4 is at least 5, and so is one above 4.5.
        limit, is_open = floor(limit) + 1 if is_open else ceil(limit), False
    wanted = sign * rule
    if limit > wanted:
        more = Fraction(limit) - Fraction(wanted)
        return not keyword.startswith("exclusive") or more > abs(Fraction(wanted)) / 2**40
    return limit == wanted and (is_open or not keyword.startswith("exclusive"))


def _divides(step: float, other: float) -> bool:
    """Return whether all multiples of a number are multiples of a smaller one, for floats too."""
    if Fraction(str(step)) == Fraction(str(other)):
        return True
    exact = Fraction(step), Fraction(other)
    is_exact = all(one.denominator <= 2**20 and abs(one) < 2**52 for one in exact)
    return is_exact and step > 0 and exact[1] % exact[0] == 0


def allows_string(texts: Texts, facts: Facts, goal: Part, keyword: str, rule: Any) -> bool:
    parts = facts.fits
    if keyword.startswith("content"):
        if rule not in ("base64", "application/json"):
            return True
        both = ("contentEncoding", "contentMediaType")
        return any(
            one.document.dialect == goal.document.dialect
            and all(one.keywords.get(key) == goal.keywords.get(key) for key in both)
            for one in parts
        )
    if keyword == "format":
        return rule not in FORMATS or any(
            one.keywords.get("format") == rule
            and (one.document.dialect == goal.document.dialect or rule not in _UNCHECKED)
            for one in parts
        )
    least, most = least_of(facts, "minLength"), most_of(facts, "maxLength")
    if keyword == "minLength" and least >= rule:
        return True
    if keyword == "maxLength" and most is not None and most <= rule:
        return True
    patterns = [one.keywords["pattern"] for one in parts if "pattern" in one.keywords]
    if keyword == "pattern" and rule in patterns:
        return True
    if not patterns and keyword != "pattern":
        return False
    if keyword == "minLength":
        most = rule - 1 if most is None else min(rule - 1, most)
    elif keyword == "maxLength":
        least = max(least, rule + 1)
    if most is not None and least > most:
        return True
    refused = rule if keyword == "pattern" else None
    longest = None if most is None else int(most)
    try:
        return not texts.exists(patterns, refused, int(least), longest)
    except UndecidedError:
        return False
