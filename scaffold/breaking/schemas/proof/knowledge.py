"""What claims about a value say of it, of its properties and of its items."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from scaffold.breaking.schemas.parts import Claim, Claims, Part, encoded, made
from scaffold.breaking.schemas.proof.facts import Facts, Name, kind_of, kinds_of, positions
from scaffold.breaking.schemas.texts import Texts


class Knowledge:
    """Draws conclusions from claims without proofs, and remembers them."""

    def __init__(self, texts: Texts | None = None) -> None:
        self.texts = texts or Texts()
        self._facts: dict[Claims, Facts] = {}
        self._required: dict[Claims, frozenset[str]] = {}
        self._made: dict[str, Part] = {}

    def made(self, schema: Any) -> Part:
        """Return a schema that stands in neither document."""
        key = encoded(schema)
        if key not in self._made:
            self._made[key] = made(schema)
        return self._made[key]

    @cached_property
    def nothing(self) -> Part:
        """The schema that nothing fits."""
        return self.made(False)

    def facts(self, claims: Claims) -> Facts:
        """Return the schemas that always apply by the claims."""
        if (found := self._facts.get(claims)) is not None:
            return found
        fits: dict[Part, None] = {}
        misses: dict[Part, None] = {}
        waiting = list(claims)
        while waiting:
            part, is_fitting = waiting.pop()
            keywords = part.keywords
            if not is_fitting:
                if part not in misses:
                    misses[part] = None
                    if keywords.keys() == {"not"}:
                        waiting.append(Claim(part.under("not")))
                    waiting += (
                        [Claim(target, False) for target in part.targets() if target]
                        if keywords.keys() == {"$ref"}
                        else []
                    )
                continue
            if part in fits:
                continue
            fits[part] = None
            if "allOf" in keywords:
                waiting += map(Claim, part.each("allOf"))
            if "not" in keywords:
                waiting.append(Claim(part.under("not"), False))
            waiting += [Claim(target) for target in part.targets() if target]
        found = Facts(tuple(sorted(fits, key=_order)), tuple(misses), kinds_of(fits))
        self._facts[claims] = found
        return found

    def values(self, facts: Facts, kind: str) -> list[Any] | None:
        """Return all values of a kind that are possible, if they are listed."""
        if kind == "null":
            return [None]
        if kind == "boolean":
            return [True, False]
        for part in facts.fits:
            keywords = part.keywords
            if "const" in keywords or "enum" in keywords:
                listed = [keywords["const"]] if "const" in keywords else keywords["enum"]
                return [value for value in listed if kind_of(value) == kind]
        return None

    def required(self, claims: Claims) -> frozenset[str]:
        """Return the names of properties that an object must have."""
        if (known := self._required.get(claims)) is not None:
            return known
        facts = self.facts(claims)
        found: set[str] = set()
        for part in facts.fits:
            found |= {*part.keywords.get("required", ())}
        for part in facts.misses:
            # An object that does not fit the schema of a property has the property.
            rules = part.keywords.get("properties", {})
            if part.keywords.keys() == {"properties"} and len(rules) == 1:
                found |= rules.keys()
        grows = True
        while grows:
            more = {
                name
                for part in facts.fits
                for keyword in ("dependentRequired", "dependencies")
                for given, names in part.keywords.get(keyword, {}).items()
                if given in found and isinstance(names, list)
                for name in names
            }
            grows = not more <= found
            found |= more
        known = self._required[claims] = frozenset(found)
        return known

    def of_names(self, claims: Claims) -> Claims:
        """Return what is known of the names of properties."""
        return Claims(
            Claim(part.under("propertyNames"))
            for part in self.facts(claims).fits
            if "propertyNames" in part.keywords
        )

    def property(self, claims: Claims, name: Name) -> Claims:
        """Return what is known of the value of a property."""
        facts = self.facts(claims)
        found = [Claim(one) for part in facts.fits for one in self.applying(part, name)]
        if name.text is not None:
            for part in facts.misses:
                rules = part.keywords.get("properties", {})
                if part.keywords.keys() == {"properties"} and rules.keys() == {name.text}:
                    found.append(Claim(part.under("properties", name.text), False))
        return Claims(found)

    def applying(self, part: Part, name: Name) -> Iterator[Part]:
        """Yield the schemas that a schema certainly applies to a property."""
        keywords = part.keywords
        evaluated = False
        if name.text is not None and name.text in keywords.get("properties", {}):
            evaluated = True
            yield part.under("properties", name.text)
        for pattern in keywords.get("patternProperties", {}):
            if self.matches(name, pattern):
                evaluated = True
                yield part.under("patternProperties", pattern)
        if evaluated:
            return
        if "additionalProperties" in keywords:
            yield part.under("additionalProperties")
        elif "unevaluatedProperties" in keywords and not self._may_evaluate(part, name):
            yield part.under("unevaluatedProperties")

    def matches(self, name: Name, pattern: str) -> bool:
        if name.text is None:
            return pattern in name.matched
        return self.made({"pattern": pattern}).accepts(name.text)

    def _may_evaluate(self, part: Part, name: Name) -> bool:
        """Return whether another schema of the same value may have something to say of a name."""
        for one in part.document.around(part.at):
            keywords = one.keywords
            if any(target is None for target in one.targets()):
                return True
            if one == part:
                continue
            if "additionalProperties" in keywords or "unevaluatedProperties" in keywords:
                return True
            if name.text is not None and name.text in keywords.get("properties", {}):
                return True
            if any(self.matches(name, p) for p in keywords.get("patternProperties", {})):
                return True
        return False

    def item(self, claims: Claims, position: int | None) -> Claims:
        """Return what is known of an item; None stands for those after all positions."""
        found = []
        for part in self.facts(claims).fits:
            before, after = positions(part)
            if position is not None and position < before:
                keyword = "items" if isinstance(part.keywords.get("items"), list) else "prefixItems"
                found.append(Claim(part.under(keyword, position)))
            elif after:
                found.append(Claim(part.under(after)))
            elif "unevaluatedItems" in part.keywords and not self._may_evaluate_items(part):
                found.append(Claim(part.under("unevaluatedItems")))
        return Claims(found)

    def _may_evaluate_items(self, part: Part) -> bool:
        words = {"items", "contains", "prefixItems", "unevaluatedItems", "additionalItems"}
        return (
            any(
                None in one.targets() or (one != part and one.keywords.keys() & words)
                for one in part.document.around(part.at)
            )
            or "contains" in part.keywords
        )


def _order(part: Part) -> tuple[str, int]:
    return part.at, id(part.document)
