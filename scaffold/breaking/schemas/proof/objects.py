"""Whether objects are allowed by a keyword, by what is known of them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from scaffold.breaking.schemas.parts import Claim, Claims, Part
from scaffold.breaking.schemas.proof.facts import Facts, Name, least_of, most_of

if TYPE_CHECKING:
    from scaffold.breaking.schemas.proof.prover import Prover

OPEN_ENDED = frozenset({"additionalProperties", "unevaluatedProperties", "propertyNames"})
"""The keywords with which an object is meant to have properties that it does not describe."""

_MOST_PATTERNS = 3
"""The patterns of properties whose combinations are looked at one by one."""


class Objects:
    """The rules for objects, which ask the prover about properties."""

    def __init__(self, prover: Prover) -> None:
        self.prover = prover

    def allows(self, claims: Claims, goal: Part, keyword: str) -> bool:
        """Return whether an object is allowed by a keyword of the goal."""
        facts = self.prover.known.facts(claims)
        rule = goal.keywords[keyword]
        match keyword:
            case "required":
                return {*rule} <= self.prover.known.required(claims)
            case "minProperties":
                return bool(
                    rule <= 0
                    or least_of(facts, "minProperties") >= rule
                    or len(self.prover.known.required(claims)) >= rule
                )
            case "maxProperties":
                most = most_of(facts, "maxProperties")
                return (most is not None and most <= rule) or self._few(claims, goal, rule)
            case "dependentRequired" | "dependentSchemas" | "dependencies":
                return all(
                    self._dependent(claims, goal, keyword, name, needed)
                    for name, needed in rule.items()
                )
            case "properties":
                return all(self.described(claims, goal, name) for name in rule)
            case "patternProperties" | "additionalProperties" | "unevaluatedProperties":
                return self._others(claims, goal, keyword)
            case "propertyNames":
                return self._names(claims, goal)
        return False

    def is_impossible(self, claims: Claims, facts: Facts) -> bool:
        required = self.prover.known.required(claims)
        most = most_of(facts, "maxProperties")
        if most is not None and (len(required) > most or least_of(facts, "minProperties") > most):
            return True
        return any(self.is_absent(claims, Name(name, frozenset())) for name in required)

    def is_absent(self, claims: Claims, name: Name) -> bool:
        """Return whether an object has no property of a name."""
        facts = self.prover.known.facts(claims)
        if name.text is not None:
            for part in facts.misses:
                if part.keywords.keys() == {"required"} and part.keywords["required"] == [
                    name.text
                ]:
                    return True
            for part in facts.fits:
                if "propertyNames" in part.keywords and not part.under("propertyNames").accepts(
                    name.text
                ):
                    return True
        elif self._is_unnamed(claims, name):
            return True
        inside = self.prover.known.property(claims, name)
        return bool(inside) and self.prover.inside(inside, self.prover.known.nothing)

    def _is_unnamed(self, claims: Claims, name: Name) -> bool:
        """Return whether no string can be such a name."""
        known = self.prover.known.of_names(claims)
        matched = {Claim(self.prover.known.made({"pattern": pattern})) for pattern in name.matched}
        return bool(known) and self.prover.inside(
            known | matched, self.prover.known.nothing, "string"
        )

    def described(self, claims: Claims, goal: Part, name: str) -> bool:
        """Return whether a property fits its schema in `properties` of the goal."""
        here = Name(name, frozenset())
        if self.prover.is_lenient(goal) and self.is_undescribed(claims, name):
            return True
        inner = goal.under("properties", name)
        if inner.always:
            return True
        return self.prover.inside(
            self.prover.known.property(claims, here), inner
        ) or self.is_absent(claims, here)

    def is_undescribed(self, claims: Claims, name: str) -> bool:
        """Return whether an object has described properties, is open, and does not describe one."""
        describes = False
        facts = self.prover.known.facts(claims)
        for part in (*facts.fits, *facts.misses):
            mention = part.document.mention(part.at)
            if name in mention.names or name in mention.needed or mention.patterns:
                return False
            if part.document is self.prover.sent:
                describes = describes or bool(mention.names)
            for one in part.document.around(part.at):
                if one.keywords.keys() & OPEN_ENDED:
                    return False
        sent = self.prover.sent
        is_elsewhere = self.prover.is_inside and sent is not None and name in sent.conditional
        return describes and not is_elsewhere

    def _dependent(self, claims: Claims, goal: Part, keyword: str, name: str, needed: Any) -> bool:
        given = claims | {Claim(self.prover.known.made({"required": [name]}))}
        if self.is_absent(claims, Name(name, frozenset())):
            return True
        if isinstance(needed, list):
            return {*needed} <= self.prover.known.required(given)
        return self.prover.of_kind(given, "object", goal.under(keyword, name))

    def names(self, claims: Claims, goal: Part) -> list[Name] | None:
        """Return all names to look at, and all kinds of others; None if they are too many."""
        parts = [goal, *self.prover.known.facts(claims).fits]
        mentions = [part.document.mention(part.at) for part in parts]
        literal = frozenset[str]().union(*(mention.names for mention in mentions))
        literal |= self.prover.known.required(claims)
        patterns = sorted(frozenset[str]().union(*(mention.patterns for mention in mentions)))
        if len(patterns) > _MOST_PATTERNS:
            return None
        kinds = [
            Name(None, frozenset(some))
            for count in range(len(patterns) + 1)
            for some in combinations(patterns, count)
        ]
        return [*(Name(text, frozenset()) for text in sorted(literal)), *kinds]

    def _others(self, claims: Claims, goal: Part, keyword: str) -> bool:
        """Return whether the properties that a keyword applies to fit its schemas."""
        names = self.names(claims, goal)
        if names is None:
            return False
        for name in names:
            for inner in self._applied(claims, goal, keyword, name):
                known = self.prover.known.property(claims, name)
                if inner.always or self.prover.inside(known, inner):
                    continue
                if not self.is_absent(claims, name):
                    return False
        return True

    def _applied(self, claims: Claims, goal: Part, keyword: str, name: Name) -> list[Part]:
        """Return the schemas of a keyword of the goal that may apply to a property."""
        matching = [
            pattern
            for pattern in goal.keywords.get("patternProperties", {})
            if self.prover.known.matches(name, pattern)
        ]
        if keyword == "patternProperties":
            return [goal.under(keyword, pattern) for pattern in matching]
        if matching or (name.text is not None and name.text in goal.keywords.get("properties", {})):
            return []
        if keyword == "unevaluatedProperties" and (
            "additionalProperties" in goal.keywords
            or any(self._evaluates(claims, one, name) for one in self.prover.certain(claims, goal))
        ):
            return []
        return [goal.under(keyword)]

    def _evaluates(self, claims: Claims, part: Part, name: Name) -> bool:
        """Return whether a schema, if an object fits it, certainly evaluates a property."""
        keywords = part.keywords
        if "additionalProperties" in keywords or "unevaluatedProperties" in keywords:
            return True
        if name.text is not None and name.text in keywords.get("properties", {}):
            return True
        if any(self.prover.known.matches(name, p) for p in keywords.get("patternProperties", {})):
            return True
        return any(self._evaluates(claims, one, name) for one in self.prover.certain(claims, part))

    def _names(self, claims: Claims, goal: Part) -> bool:
        inner = goal.under("propertyNames")
        names = self.names(claims, goal)
        if names is None:
            return False
        known = self.prover.known.of_names(claims)
        for name in names:
            if self.is_absent(claims, name):
                continue
            if name.text is not None:
                if not inner.accepts(name.text):
                    return False
                continue
            matched = {
                Claim(self.prover.known.made({"pattern": pattern})) for pattern in name.matched
            }
            if not self.prover.inside(known | matched, inner, "string"):
                return False
        return True

    def _few(self, claims: Claims, goal: Part, most: float) -> bool:
        """Return whether an object has no more properties than those that it can have."""
        names = self.names(claims, goal)
        if names is None:
            return False
        possible = [name for name in names if not self.is_absent(claims, name)]
        return all(name.text is not None for name in possible) and len(possible) <= most
