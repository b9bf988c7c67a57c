"""What schemas that a value is known to fit say of it, and of its properties and items."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

from msgspec import Struct

from scaffold.breaking.parts import Part

KINDS = ("null", "boolean", "number", "string", "array", "object")

Known = frozenset[Part]
"""Schemas that a value fits."""


class Facts(Struct, frozen=True):
    """All schemas that always apply with those that a value fits, and the kinds they allow."""

    fits: tuple[Part, ...]
    kinds: frozenset[str]

    def all(self, keyword: str) -> list[Any]:
        """Return what the schemas say by a keyword."""
        return [part.keywords[keyword] for part in self.fits if keyword in part.keywords]

    def least(self, keyword: str) -> float:
        """Return the least number of characters, items or properties."""
        return max(self.all(keyword), default=0)

    def most(self, keyword: str) -> float:
        """Return the greatest number of characters, items or properties."""
        return min(self.all(keyword), default=float("inf"))

    @property
    def is_integer(self) -> bool:
        """Whether a number has to be an integer."""
        return any("type" in p.keywords and "number" not in types(p) for p in self.fits)


def types(part: Part) -> list[str]:
    """Return the types that a schema names."""
    stated = part.keywords["type"]
    return [stated] if isinstance(stated, str) else list(stated)


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
    return "array"


def positions(part: Part) -> tuple[str, int, str]:
    """Return the keyword for single items, how many it has, and the keyword for those after."""
    if isinstance(part.keywords.get("items"), list):  # draft-07
        return "items", len(part.keywords["items"]), "additionalItems"
    return "prefixItems", len(part.keywords.get("prefixItems", ())), "items"


def is_within(facts: Facts, keyword: str, rule: float) -> bool:
    """Return whether a number is within a bound, by its own bounds."""
    side, sign = ("inimum", 1) if "inimum" in keyword else ("aximum", -1)
    bounds = [(sign * one, False) for one in facts.all(f"m{side}")]
    bounds += [(sign * one, True) for one in facts.all(f"exclusiveM{side}")]
    if not bounds:
        return False
    limit, is_open = max(bounds)
    if facts.is_integer and abs(limit) < 2**52:
        # An integer above 4 is at least 5, and so is one above 4.5.
        limit, is_open = floor(limit) + 1 if is_open else ceil(limit), False
    wanted, excludes = sign * rule, keyword.startswith("exclusive")
    if limit == wanted:
        return is_open or not excludes
    # The engine may take two numbers that hardly differ for the same.
    is_far = Fraction(limit) - Fraction(wanted) > abs(Fraction(wanted)) / 2**40
    return limit > wanted and (is_far or not excludes)


def divides(step: float, other: float) -> bool:
    """Return whether all multiples of a number are multiples of a smaller one, for floats too."""
    if Fraction(str(step)) == Fraction(str(other)):
        return True
    exact = Fraction(step), Fraction(other)
    is_exact = all(one.denominator <= 2**20 and abs(one) < 2**52 for one in exact)
    return is_exact and step > 0 and exact[1] % exact[0] == 0


class Knowledge:
    """Draws conclusions from what is known of a value, and remembers them."""

    def __init__(self) -> None:
        self._facts: dict[Known, Facts] = {}

    def facts(self, known: Known) -> Facts:
        """Return the schemas that always apply, by `$ref` and `allOf`."""
        if (found := self._facts.get(known)) is None:
            fits: dict[Part, None] = {}
            waiting = sorted(known, key=lambda part: (part.at, id(part.document)), reverse=True)
            while waiting:
                part = waiting.pop()
                if part not in fits:
                    fits[part] = None
                    waiting += [one for one in part.targets if one] + part.each("allOf")
            kinds = frozenset(() if any(part.never for part in fits) else KINDS)
            for part in fits:
                if "type" in part.keywords:
                    kinds &= {"number" if one == "integer" else one for one in types(part)}
            found = self._facts[known] = Facts(tuple(fits), kinds)
        return found

    def values(self, known: Known, kind: str) -> list[Any] | None:
        """Return all values of a kind that are possible, if they are listed."""
        if kind == "null":
            return [None]
        if kind == "boolean":
            return [True, False]
        facts = self.facts(known)
        listed = [*([value] for value in facts.all("const")), *facts.all("enum")]
        return [value for value in listed[0] if kind_of(value) == kind] if listed else None

    def required(self, known: Known) -> frozenset[str]:
        """Return the names of properties that an object must have."""
        return frozenset(name for names in self.facts(known).all("required") for name in names)

    def names(self, known: Known) -> frozenset[str]:
        """Return the names that something is said of, perhaps in branches only."""
        parts = self.facts(known).fits
        return frozenset[str]().union(*(part.names | part.needed for part in parts))

    def property(self, known: Known, name: str | None) -> Known:
        """Return what is known of the value of a property; see `applying`."""
        return Known(one for part in self.facts(known).fits for one in self.applying(part, name))

    def applying(self, part: Part, name: str | None) -> list[Part]:
        """Return the schemas that a schema is known to apply to a property.

        Without a name, these are the properties of which no schema says the name.
        """
        if name in part.keywords.get("properties", ()):
            return [part.under("properties", str(name))]
        is_known = (
            "additionalProperties" in part.keywords and "patternProperties" not in part.keywords
        )
        return [part.under("additionalProperties")] if is_known else []

    def item(self, known: Known, position: int) -> Known:
        """Return what is known of an item."""
        found = []
        for part in self.facts(known).fits:
            first, count, rest = positions(part)
            if position < count:
                found.append(part.under(first, position))
            elif rest in part.keywords:
                found.append(part.under(rest))
        return Known(found)
