"""Whether arrays are allowed by a keyword, by what is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scaffold.breaking.schemas.parts import Claim, Claims, Part
from scaffold.breaking.schemas.proof.facts import contained, least_of, most_of, positions

if TYPE_CHECKING:
    from scaffold.breaking.schemas.proof.prover import Prover

_MOST_POSITIONS = 64


class Arrays:
    """The rules for arrays, which ask the prover about items."""

    def __init__(self, prover: Prover) -> None:
        self.prover = prover

    def allows(self, claims: Claims, goal: Part, keyword: str, rule: Any) -> bool:
        facts = self.prover.known.facts(claims)
        least, most = least_of(facts, "minItems"), most_of(facts, "maxItems")
        before, after = positions(goal)
        match keyword:
            case "minItems":
                return least >= rule or any(
                    part.keywords.get("minContains", 1) >= rule
                    for part in facts.fits
                    if "contains" in part.keywords
                )
            case "maxItems":
                return (most is not None and most <= rule) or self._item_absent(claims, int(rule))
            case "uniqueItems":
                return (
                    not rule
                    or (most is not None and most <= 1)
                    or self._item_absent(claims, 1)
                    or any(part.keywords.get("uniqueItems") is True for part in facts.fits)
                )
            case "contains":
                return self._contains(claims, goal)
            case "minContains" | "maxContains":
                return True  # with `contains`
            case "prefixItems":
                return all(
                    self._item(claims, n, goal.under("prefixItems", n)) for n in range(before)
                )
            case "items" if isinstance(rule, list):
                return all(self._item(claims, n, goal.under("items", n)) for n in range(before))
            case "items" | "additionalItems":
                return after != keyword or self._items_from(claims, before, goal.under(keyword))
            case "unevaluatedItems":
                return bool(after) or self._items_from(claims, before, goal.under(keyword))
        return False

    def is_impossible(self, claims: Claims, position: int) -> bool:
        claim = self.prover.known.item(claims, position)
        return bool(claim) and self.prover.inside(claim, self.prover.known.nothing)

    def _item(self, claims: Claims, position: int, goal: Part) -> bool:
        most = most_of(self.prover.known.facts(claims), "maxItems")
        if most is not None and position >= most:
            return True
        return self.prover.inside(self.prover.known.item(claims, position), goal) or (
            position > 0 and self._item_absent(claims, position - 1)
        )

    def _item_absent(self, claims: Claims, position: int) -> bool:
        return position < _MOST_POSITIONS and self.is_impossible(claims, position)

    def _items_from(self, claims: Claims, start: int, goal: Part) -> bool:
        """Return whether all items from a position on fit a schema."""
        most = most_of(self.prover.known.facts(claims), "maxItems")
        if most is not None and most <= start:
            return True
        last = max([start, *(positions(part)[0] for part in self.prover.known.facts(claims).fits)])
        if last > _MOST_POSITIONS:
            return False
        return all(self._item(claims, n, goal) for n in range(start, last)) and (
            (most is not None and most <= last)
            or self.prover.inside(self.prover.known.item(claims, None), goal)
            or (last > start and self._item_absent(claims, last - 1))
        )

    def _every_item(self, claims: Claims) -> Claims:
        """Return what is known of all items."""
        facts = self.prover.known.facts(claims)
        if any(positions(part)[0] for part in facts.fits):
            return Claims()
        return self.prover.known.item(claims, None)

    def _contains(self, claims: Claims, goal: Part) -> bool:
        facts = self.prover.known.facts(claims)
        inner = goal.under("contains")
        least, most = contained(goal)
        at_least = least == 0
        at_most = most is None
        longest = most_of(facts, "maxItems")
        if most is not None and longest is not None and longest <= most:
            at_most = True
        for part in facts.fits:
            if "contains" not in part.keywords:
                continue
            theirs = part.under("contains")
            fewest, largest = contained(part)
            if not at_least and fewest >= least:
                every = self._every_item(claims)
                at_least = self.prover.inside(Claims([Claim(theirs), *every]), inner)
            if not at_most and largest is not None and most is not None and largest <= most:
                at_most = self.prover.inside(Claims([Claim(inner)]), theirs)
        if not at_least and least_of(facts, "minItems") >= max(least, 1):
            at_least = self._items_from(claims, 0, inner)
        return at_least and at_most
