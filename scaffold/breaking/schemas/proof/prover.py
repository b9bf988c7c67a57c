"""Prove that what is known of a value makes it fit a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scaffold.breaking.schemas.parts import Claim, Claims, Document, Part, UnansweredError
from scaffold.breaking.schemas.proof.arrays import Arrays
from scaffold.breaking.schemas.proof.facts import KINDS, least_of, most_of, types
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.proof.objects import Objects
from scaffold.breaking.schemas.proof.sameness import Sameness
from scaffold.breaking.schemas.proof.scalars import (
    allows_number,
    allows_string,
    is_empty_range,
    is_integer,
)

_MOST_STEPS = 3000
"""The steps of one proof."""
_MOST_ALTERNATIVES = 6
"""The alternatives in `oneOf` of which it is used that only one applies."""
_DEEPEST = 40
_NONE = 10**9

_BY_KIND: Mapping[str, str] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"
    ),
    **dict.fromkeys(
        ("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"),
        "string",
    ),
    **dict.fromkeys(
        (
            *("minItems", "maxItems", "uniqueItems", "prefixItems", "items", "additionalItems"),
            *("contains", "minContains", "maxContains", "unevaluatedItems"),
        ),
        "array",
    ),
    **dict.fromkeys(
        (
            *("required", "minProperties", "maxProperties", "dependentRequired", "properties"),
            *("dependentSchemas", "dependencies", "patternProperties", "additionalProperties"),
            *("propertyNames", "unevaluatedProperties"),
        ),
        "object",
    ),
}
"""The kind of value that a keyword is about."""


class OutOfStepsError(Exception):
    """The proof takes too long."""


class Prover:
    """Proves that claims imply that a value fits a schema.

    If a document describes what is `sent`, an object has no properties that only the schema to fit
    describes: callers send what the old schema describes, even if it would ignore more.
    """

    def __init__(self, known: Knowledge, sent: Document | None = None) -> None:
        self.known, self.sent = known, sent
        self.same = Sameness(self._step)
        self.arrays = Arrays(self)
        self.objects = Objects(self)
        self.steps = 0
        self._proved: set[tuple[Claims, Part]] = set()
        self._failed: set[tuple[Claims, Part]] = set()
        self._open: dict[tuple[Claims, Part], tuple[int, int]] = {}
        self._hopeless: set[tuple[Claims, str, Part]] = set()
        self._depth = 0
        self._lowest = _NONE

    @property
    def is_inside(self) -> bool:
        """Whether the proof is about a part of the value."""
        return self._depth > 0

    def is_lenient(self, goal: Part) -> bool:
        """Return whether properties that only the goal describes are not sent."""
        return self.sent is not None and goal.document is not self.sent

    def decide(self, claims: Claims, goal: Part) -> bool:
        """Return whether the claims are proved to imply the goal, in bounded time."""
        return self.attempt(lambda: self.proves(claims, goal))

    def attempt(self, proof: Callable[[], bool]) -> bool:
        """Return whether a proof succeeds in bounded time."""
        self.steps, self._depth, self._lowest = 0, 0, _NONE
        self._open.clear()
        self._hopeless.clear()
        try:
            return proof()
        except (OutOfStepsError, RecursionError, UnansweredError):
            return False

    def proves(self, claims: Claims, goal: Part) -> bool:
        """Return whether a value of which the claims are true fits the goal."""
        if goal.always or Claim(goal) in claims:
            return True
        key = claims, goal
        if key in self._proved:
            return True
        if key in self._failed:
            return False
        if key in self._open:
            # The claim about a part of a value may rest on that about the whole.
            depth, number = self._open[key]
            if depth < self._depth:
                self._lowest = min(self._lowest, number)
                return True
            return False
        self._step()
        before, self._lowest = self._lowest, _NONE
        number = len(self._open)
        self._open[key] = self._depth, number
        try:
            facts = self.known.facts(claims)
            kinds = facts.kinds
            answer = any(self.same.same(part, goal) for part in facts.fits) or all(
                self.of_kind(claims, kind, goal) for kind in KINDS if kind in kinds
            )
        finally:
            del self._open[key]
        if answer and self._lowest >= number:  # it rests on no other open proof
            self._proved.add(key)
        if not answer:
            self._failed.add(key)
        self._lowest = min(before, self._lowest if self._lowest < number else _NONE)
        return answer

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS or self._depth > _DEEPEST:
            raise OutOfStepsError

    def of_kind(self, claims: Claims, kind: str, goal: Part) -> bool:
        """Return whether a value of a kind fits the goal."""
        key = claims, kind, goal
        if key in self._hopeless:  # or being proved
            return False
        self._step()
        self._hopeless.add(key)
        if answer := self._fits(claims, kind, goal):
            self._hopeless.discard(key)
        return answer

    def _fits(self, claims: Claims, kind: str, goal: Part) -> bool:
        if self._contradicts(claims, kind):
            return True
        facts = self.known.facts(claims)
        if any(self.same.same(part, goal) for part in facts.fits):
            return True
        values = self.known.values(facts, kind)
        if values is not None:
            return all(
                goal.accepts(value) for value in values if all(one.holds(value) for one in claims)
            )
        if not goal.never and all(
            self._keyword(claims, kind, goal, keyword) for keyword in goal.keywords
        ):
            return True
        for branches in self._splits(claims, kind):
            if all(self.of_kind(claims | branch, kind, goal) for branch in branches):
                return True
        return False

    def case_by_case(self, claims: Claims, kind: str, check: Callable[[Claims], bool]) -> bool:
        """Return whether a check succeeds for values of a kind, if need be in each case alone."""
        self._step()
        if self._contradicts(claims, kind) or check(claims):
            return True
        return any(
            all(self.case_by_case(claims | branch, kind, check) for branch in branches)
            for branches in self._splits(claims, kind)
        )

    def _splits(self, claims: Claims, kind: str) -> Iterator[list[Claims]]:
        """Yield claims of which some must be true, for each choice that is still open."""
        for part in self.known.facts(claims).fits:
            keywords = part.keywords
            for keyword in ("anyOf", "oneOf"):
                if keyword in keywords:
                    ones = part.each(keyword)
                    if any(Claim(one) in claims for one in ones):
                        continue
                    is_known = keyword == "oneOf" and len(ones) <= _MOST_ALTERNATIVES
                    others = {Claim(one, False) for one in ones} if is_known else set()
                    yield [Claims([Claim(one), *(others - {Claim(one, False)})]) for one in ones]
            if "if" in keywords:
                condition = part.under("if")
                if not claims & {Claim(condition), Claim(condition, False)}:
                    yield [
                        Claims([Claim(condition, fits)])
                        | {Claim(part.under(word)) for word in [word] if word in keywords}
                        for fits, word in ((True, "then"), (False, "else"))
                    ]
            if kind == "object":
                for keyword in ("dependentSchemas", "dependencies"):
                    for name, rule in keywords.get(keyword, {}).items():
                        if isinstance(rule, list):
                            continue
                        given = Claim(self.known.made({"required": [name]}))
                        needed = Claim(part.under(keyword, name))
                        if needed not in claims and name in self.known.required(claims):
                            yield [Claims([needed])]
                        elif not claims & {given, given._replace(fits=False)}:
                            yield [Claims([given, needed]), Claims([given._replace(fits=False)])]

    def _contradicts(self, claims: Claims, kind: str) -> bool:
        """Return whether the claims are obviously true of no value of a kind."""
        facts = self.known.facts(claims)
        if kind not in facts.kinds or any(part.never for part in facts.fits):
            return True
        for part in facts.misses:
            if part.always or any(self.same.same(other, part) for other in facts.fits):
                return True
            rest = claims - {Claim(part, False)}
            if rest != claims and self.of_kind(rest, kind, part):
                return True
        match kind:
            case "number":
                return is_empty_range(facts)
            case "string":
                least, most = least_of(facts, "minLength"), most_of(facts, "maxLength")
                return most is not None and least > most
            case "array":
                least, most = least_of(facts, "minItems"), most_of(facts, "maxItems")
                if most is not None and least > most:
                    return True
                return any(
                    self.arrays.is_impossible(claims, position)
                    for position in range(min(int(least), 8))
                )
            case "object":
                return self.objects.is_impossible(claims, facts)
        return False

    def inside(self, claims: Claims, goal: Part, kind: str | None = None) -> bool:
        """Return whether a part of the value, perhaps of a known kind, fits the goal."""
        self._depth += 1
        try:
            return self.of_kind(claims, kind, goal) if kind else self.proves(claims, goal)
        finally:
            self._depth -= 1

    def keyword(self, claims: Claims, kind: str, goal: Part, keyword: str) -> bool:
        """Return whether a value of a kind is allowed by a keyword of the goal."""
        values = self.known.values(self.known.facts(claims), kind)
        if values is not None:
            possible = (value for value in values if all(one.holds(value) for one in claims))
            return all(goal.accepts(value) for value in possible)
        return self._keyword(claims, kind, goal, keyword)

    def _keyword(self, claims: Claims, kind: str, goal: Part, keyword: str) -> bool:
        """Return whether a value of a kind is allowed by a keyword of the goal."""
        if (about := _BY_KIND.get(keyword)) and about != kind:
            return True
        rule = goal.keywords[keyword]
        facts = self.known.facts(claims)
        match keyword:
            case "type":
                allowed = types(goal)
                if kind != "number" or "number" in allowed:
                    return kind in allowed
                return "integer" in allowed and is_integer(facts)
            case "then" | "else":
                return True
            case "enum" | "const":
                return False  # not all possible values are known
            case "$ref" | "$dynamicRef":
                return all(
                    target is not None and self._goal(claims, kind, target)
                    for target in goal.targets()
                )
            case "allOf":
                return all(self._goal(claims, kind, one) for one in goal.each("allOf"))
            case "anyOf":
                return any(self._goal(claims, kind, one) for one in goal.each("anyOf"))
            case "oneOf":
                return self._one_of(claims, kind, goal)
            case "not":
                return self._excludes(claims, kind, goal.under("not"))
            case "if":
                return self._condition(claims, kind, goal)
        if kind == "number":
            return allows_number(facts, keyword, rule)
        if kind == "string":
            return allows_string(self.known.texts, facts, goal, keyword, rule)
        if kind == "array":
            return self.arrays.allows(claims, goal, keyword, rule)
        if kind == "object":
            return self.objects.allows(claims, goal, keyword)
        return False

    def _goal(self, claims: Claims, kind: str, goal: Part) -> bool:
        return goal.always or Claim(goal) in claims or self.of_kind(claims, kind, goal)

    def _excludes(self, claims: Claims, kind: str, part: Part) -> bool:
        """Return whether a value does not fit a schema."""
        facts = self.known.facts(claims)
        if any(self.same.same(part, other) for other in facts.misses):
            return True
        if self.of_kind(claims | {Claim(part)}, kind, self.known.nothing):
            return True
        return any(self.of_kind(Claims([Claim(part)]), kind, other) for other in facts.misses)

    def _one_of(self, claims: Claims, kind: str, goal: Part) -> bool:
        branches = goal.each("oneOf")
        for part in self.known.facts(claims).fits:
            theirs = part.each("oneOf") if "oneOf" in part.keywords else []
            if len(theirs) == len(branches) and all(map(self.same.same, theirs, branches)):
                return True
        for chosen in branches:
            if self._goal(claims, kind, chosen):
                others = (one for one in branches if one != chosen)
                return all(self._excludes(claims, kind, other) for other in others)
        return False

    def _condition(self, claims: Claims, kind: str, goal: Part) -> bool:
        for word, fits in (("then", True), ("else", False)):
            if word in goal.keywords:
                known = claims | {Claim(goal.under("if"), fits)}
                if not self.of_kind(known, kind, goal.under(word)):
                    return False
        return True

    def certain(self, claims: Claims, part: Part) -> Iterator[Part]:
        """Yield the schemas in a schema, for the same value, that the value certainly fits."""
        keywords = part.keywords
        yield from (target for target in part.targets() if target)
        if "allOf" in keywords:
            yield from part.each("allOf")
        for keyword in ("anyOf", "oneOf"):
            for one in part.each(keyword) if keyword in keywords else ():
                if self.proves(claims, one):
                    yield one
        if "if" in keywords and self.proves(claims, part.under("if")):
            yield part.under("if")
            if "then" in keywords:
                yield part.under("then")
