"""The knowledge about a value from the schemas that it fits, and about its properties and items."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from scaffold.breaking.parts import Part
from scaffold.schema.types import json_types, texts

KINDS = ("null", "boolean", "number", "string", "array", "object")
_LEADING = frozenset({"$ref", "$dynamicRef", "allOf"})
"""The keywords by which other schemas always apply."""


class Known:
    """Schemas that a value fits.

    `fits` are these and all that always apply with them, by `$ref` and `allOf`; `kinds` are the
    kinds of values that they allow. There is one object for the same schemas among all that come
    from a first one, so that each conclusion is drawn once.
    """

    def __init__(
        self, parts: Iterable[Part], family: dict[frozenset[Part], Known] | None = None
    ) -> None:
        self.parts = tuple(parts)
        self._family = {frozenset(self.parts): self} if family is None else family
        self._properties: dict[str | None, Known] = {}
        self.fits = tuple(_fitting(self.parts))
        kinds = frozenset(() if any(part.never for part in self.fits) else KINDS)
        for stated in self.all("type"):
            kinds &= {"number" if name == "integer" else name for name in texts(stated)}
        self.kinds = kinds

    def of(self, parts: Iterable[Part]) -> Known:
        """Return the knowledge about another value."""
        parts = dict.fromkeys(parts)
        key = frozenset(parts)
        if (known := self._family.get(key)) is None:
            known = self._family[key] = Known(parts, self._family)
        return known

    def and_also(self, *parts: Part) -> Known:
        """Return the knowledge about a value that also fits some other schemas."""
        return self.of([*self.parts, *parts])

    def all(self, keyword: str) -> list[Any]:
        """Return the values of a keyword in the schemas."""
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
        return any("number" not in texts(stated) for stated in self.all("type"))

    def values(self, kind: str) -> list[Any] | None:
        """Return all values of a kind that are possible, if they are listed."""
        if kind == "null":
            return [None]
        if kind == "boolean":
            return [True, False]
        listed = [*([value] for value in self.all("const")), *self.all("enum")]
        return [value for value in listed[0] if kind_of(value) == kind] if listed else None

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of properties that an object must have."""
        return frozenset(name for names in self.all("required") for name in names)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all described properties, including those in branches."""
        return frozenset[str]().union(*(part.names | part.needed for part in self.fits))

    def property(self, name: str | None) -> Known:
        """Return the knowledge about the value of a property; see `applying`."""
        if (known := self._properties.get(name)) is None:
            known = self.of(schema for part in self.fits for schema in applying(part, name))
            self._properties[name] = known
        return known

    def item(self, position: int) -> Known:
        """Return the knowledge about an item."""
        parts = []
        for part in self.fits:
            first, count, rest = positions(part)
            if position < count:
                parts.append(part.under(first, position))
            elif rest in part.keywords:
                parts.append(part.under(rest))
        return self.of(parts)


def _fitting(parts: Iterable[Part]) -> dict[Part, None]:
    result: dict[Part, None] = {}
    waiting = [*parts][::-1]
    while waiting:
        part = waiting.pop()
        if part not in result:
            result[part] = None
            if part.keywords.keys() & _LEADING:
                waiting += [target for target in part.targets if target] + part.each("allOf")
    return result


def applying(part: Part, name: str | None) -> list[Part]:
    """Return the schemas that a schema is known to apply to a property.

    Without a name, these are the properties that no schema names.
    """
    if name in part.keywords.get("properties", ()):
        return [part.under("properties", str(name))]
    is_known = "additionalProperties" in part.keywords and "patternProperties" not in part.keywords
    return [part.under("additionalProperties")] if is_known else []


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value."""
    names = json_types(value)
    return "number" if "number" in names else names[0]


def positions(part: Part) -> tuple[str, int, str]:
    """Return the keyword for single items, how many it has, and the keyword for those after."""
    if isinstance(part.keywords.get("items"), list):  # draft-07
        return "items", len(part.keywords["items"]), "additionalItems"
    return "prefixItems", len(part.keywords.get("prefixItems", ())), "items"


def is_within(known: Known, keyword: str, rule: float) -> bool:
    """Return whether a number is within a bound, by its own bounds."""
    side, sign = ("inimum", 1) if "inimum" in keyword else ("aximum", -1)
    bounds = [(sign * bound, False) for bound in known.all(f"m{side}")]
    bounds += [(sign * bound, True) for bound in known.all(f"exclusiveM{side}")]
    if not bounds:
        return False
    limit, is_open = max(bounds)
    if known.is_integer and abs(limit) < 2**52:
        # An integer above 4 is at least 5, and so is one above 4.5.
        limit, is_open = floor(limit) + 1 if is_open else ceil(limit), False
    wanted, excludes = sign * rule, keyword.startswith("exclusive")
    if limit == wanted:
        return is_open or not excludes
    # The engine may treat two nearly equal numbers as the same.
    is_far = Fraction(limit) - Fraction(wanted) > abs(Fraction(wanted)) / 2**40
    return limit > wanted and (is_far or not excludes)


def divides(step: float, other: float) -> bool:
    """Return whether all multiples of a number are multiples of a smaller one, for floats too."""
    if Fraction(str(step)) == Fraction(str(other)):
        return True
    exact = Fraction(step), Fraction(other)
    is_exact = all(number.denominator <= 2**20 and abs(number) < 2**52 for number in exact)
    return is_exact and step > 0 and exact[1] % exact[0] == 0
