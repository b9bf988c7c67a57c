"""Prove that a schema allows everything that others allow, by a rule for each keyword."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from scaffold.breaking.knowledge import (
    KINDS,
    Known,
    divides,
    is_within,
    positions,
)
from scaffold.breaking.parts import NEVER, Document, Part, same
from scaffold.schema.keywords import FORMATS
from scaffold.schema.types import texts

_MAX_STEPS = 3000
_MAX_DEPTH = 40
_OPEN_ENDED = frozenset({
    "additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames",
})  # fmt: skip
"""The keywords with which an object is meant to have properties that it does not describe."""

_KINDS: Mapping[str, frozenset[str]] = {
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "string": frozenset({
        "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType",
    }),
    "array": frozenset({
        "minItems", "maxItems", "uniqueItems", "prefixItems", "items", "additionalItems", "contains",
        "minContains", "maxContains", "unevaluatedItems",
    }),
    "object": frozenset({
        "required", "minProperties", "maxProperties", "properties", "patternProperties",
        "propertyNames", "additionalProperties", "unevaluatedProperties", "dependentRequired",
        "dependentSchemas", "dependencies",
    }),
}  # fmt: skip
_OF_KINDS = {keyword: kind for kind, keywords in _KINDS.items() for keyword in keywords}
"""The kind of values that a keyword is about."""

_TOGETHER = (
    {"if", "then", "else"},
    {"contains", "minContains", "maxContains"},
    {"contentEncoding", "contentMediaType"},
)
"""Keywords that have a meaning only together."""
_MEANS = {word: frozenset(words) for words in _TOGETHER for word in words}


class OutOfStepsError(Exception):
    """The proof exceeded its budget."""


class Cover:
    """Proves that each value that fits some schemas also fits another one, the goal.

    If a document describes what is `sent`, an object has no properties that only the goal
    describes: callers send what the old schema describes, even if it would ignore more.
    """

    def __init__(self, sent: Document | None = None) -> None:
        self.sent = sent
        self._steps = self._depth = 0
        self._assumed: dict[tuple[Known, Part], None] = {}
        self._failed: set[tuple[Known, str, Part]] = set()

    def proves(
        self, known: Known, goal: Part, described: Collection[tuple[str, Part]] = ()
    ) -> bool:
        """Return whether each value that fits the knowledge is proved to fit the goal.

        The properties in `described` are taken to fit their schemas in `properties` of a part of
        the goal.
        """
        granted = [
            (known.property(name), part.under("properties", name)) for name, part in described
        ]
        return self._attempt(lambda: self._covers(known, goal), granted)

    def keeps(self, known: Known, goal: Part, name: str) -> bool:
        """Return whether a property is proved to fit its schema in `properties` of the goal."""
        return self._attempt(lambda: self._described(known, goal, name))

    def _attempt(
        self, proof: Callable[[], bool], granted: Iterable[tuple[Known, Part]] = ()
    ) -> bool:
        """Return whether a proof succeeds in bounded time."""
        self._steps = self._depth = 0
        self._failed.clear()
        self._assumed = dict.fromkeys(granted)
        try:
            return proof()
        except (OutOfStepsError, RecursionError, ValueError):
            return False

    def _covers(self, known: Known, goal: Part) -> bool:
        return all(self._fits(known, kind, goal) for kind in KINDS if kind in known.kinds)

    def _inside(self, known: Known, goal: Part) -> bool:
        """Return whether a property or an item fits a schema.

        What is being proved of the value around it is assumed here, as values are finite.
        """
        key = known, goal
        if goal.always or key in self._assumed or any(same(part, goal) for part in known.parts):
            return True
        before, failed = len(self._assumed), self._failed
        self._assumed[key] = None
        self._depth, self._failed = self._depth + 1, set()
        answer = self._covers(known, goal)
        self._depth, self._failed = self._depth - 1, failed
        if not answer:
            for part in [*self._assumed][before:]:  # later proofs may depend on it
                del self._assumed[part]
        return answer

    def _fits(self, known: Known, kind: str, goal: Part) -> bool:
        """Return whether a value of a kind fits the goal."""
        key = known, kind, goal
        if goal.always or goal in known.parts:
            return True
        if key in self._failed:  # or being proved
            return False
        self._steps += 1
        if self._steps > _MAX_STEPS or self._depth > _MAX_DEPTH:
            raise OutOfStepsError
        self._failed.add(key)
        if answer := self._is_decided(known, kind, goal):
            self._failed.discard(key)
        return answer

    def _is_decided(self, known: Known, kind: str, goal: Part) -> bool:
        if kind not in known.kinds:
            return True
        values = known.values(kind)
        if values is not None:
            return all(
                goal.accepts(v) for v in values if all(part.accepts(v) for part in known.parts)
            )
        if not goal.never and all(self._keyword(known, kind, goal, k) for k in goal.keywords):
            return True
        if kind == "object" and any(map(self._never, map(known.property, known.required))):
            return True  # there is no such object
        return any(
            all(self._fits(known.and_also(branch), kind, goal) for branch in branches)
            for branches in self._choices(known)
        )

    def _choices(self, known: Known) -> Iterator[list[Part]]:
        """Yield schemas of which a value fits one, for each choice that is still open."""
        for part in known.fits:
            for keyword in ("anyOf", "oneOf"):
                branches = part.each(keyword)
                if branches and not any(branch in known.parts for branch in branches):
                    yield branches

    def _never(self, known: Known) -> bool:
        return bool(known.parts) and self._inside(known, NEVER)

    def _excludes(self, known: Known, kind: str, part: Part) -> bool:
        return self._fits(known.and_also(part), kind, NEVER)

    def _keyword(self, known: Known, kind: str, goal: Part, keyword: str) -> bool:
        """Return whether a value of a kind is allowed by a keyword of the goal."""
        if _OF_KINDS.get(keyword, kind) != kind:
            return True
        rule = goal.keywords[keyword]
        match keyword:
            case "type":
                is_integer = kind == "number" and known.is_integer and "integer" in texts(rule)
                return kind in texts(rule) or is_integer
            case "$ref" | "$dynamicRef":
                return all(
                    part is not None and self._fits(known, kind, part) for part in goal.targets
                )
            case "allOf":
                return all(self._fits(known, kind, part) for part in goal.each(keyword))
            case "anyOf":
                return any(self._fits(known, kind, part) for part in goal.each(keyword))
            case "oneOf" if self._fits_one(known, kind, goal.each(keyword)):
                return True
            case "not" if self._excludes(known, kind, goal.under(keyword)):
                return True
            case "minLength" | "minItems":
                return bool(known.least(keyword) >= rule)
            case "maxLength" | "maxItems" | "maxProperties":
                return bool(known.most(keyword) <= rule)
            case "multipleOf":
                steps = [*known.all(keyword), *([1] if known.is_integer else [])]
                return any(divides(rule, part) for part in steps)
            case "pattern":
                return rule in known.all(keyword)
            case "format" if rule not in FORMATS:
                return True
            case "uniqueItems":
                return not rule or known.most("maxItems") <= 1 or any(known.all(keyword))
        if kind == "number" and keyword in _OF_KINDS:
            return is_within(known, keyword, rule)
        if kind == "array" and keyword in ("prefixItems", "items", "additionalItems"):
            return self._items(known, goal, keyword)
        if kind == "object" and (answer := self._object(known, goal, keyword)) is not None:
            return answer
        words = _MEANS.get(keyword, frozenset([keyword]))
        return not keyword.startswith("unevaluated") and any(
            same(part, goal, words) for part in known.fits
        )

    def _fits_one(self, known: Known, kind: str, branches: list[Part]) -> bool:
        """Return whether a value fits exactly one of some schemas."""
        fitting = [branch for branch in branches if self._fits(known, kind, branch)]
        others = [branch for branch in branches if branch not in fitting]
        return len(fitting) == 1 and all(self._excludes(known, kind, branch) for branch in others)

    def _items(self, known: Known, goal: Part, keyword: str) -> bool:
        """Return whether the items that a keyword is about fit its schemas."""
        first, count, rest = positions(goal)
        if keyword == first:
            checked = [(number, goal.under(first, number)) for number in range(count)]
        elif keyword == rest:
            last = max([count, *(positions(part)[1] for part in known.fits)])
            checked = [(number, goal.under(rest)) for number in (*range(count, last), last)]
        else:
            return True
        most = known.most("maxItems")
        return all(
            number >= most or self._inside(known.item(number), schema) for number, schema in checked
        )

    def _object(self, known: Known, goal: Part, keyword: str) -> bool | None:
        """Return whether an object is allowed by a keyword; None if there is no rule for it."""
        rule, required = goal.keywords[keyword], known.required
        match keyword:
            case "required":
                return required.issuperset(rule)
            case "minProperties":
                return bool(max(known.least(keyword), len(required)) >= rule)
            case "properties":
                return all(self._described(known, goal, name) for name in rule)
            case "additionalProperties":
                return self._others(known, goal)
            case "propertyNames":
                names = [part.under(keyword) for part in known.fits if keyword in part.keywords]
                return self._fits(known.of(names), "string", goal.under(keyword)) or None
        return None

    def _described(self, known: Known, goal: Part, name: str) -> bool:
        is_sent = self.sent is None or goal.document is self.sent or not self.is_unsent(known, name)
        inside = known.property(name)
        return not is_sent or self._inside(inside, goal.under("properties", name))

    def is_unsent(self, known: Known, name: str) -> bool:
        """Return whether an object has described properties, is open, and does not describe one."""
        fits = known.fits
        return (
            self.sent is not None
            and name not in known.names
            and (not self._depth or any(p.names for p in fits if p.document is self.sent))
            and all(
                _OPEN_ENDED.isdisjoint(outer.keywords) for part in fits for outer in part.around
            )
            and not (self._depth and name in self.sent.conditional)
        )

    def _others(self, known: Known, goal: Part) -> bool:
        """Return whether the properties fit that a schema does not describe."""
        inner, described = goal.under("additionalProperties"), goal.keywords.get("properties", ())
        names = sorted(known.names.difference(described))
        given = goal.meaning(["patternProperties"])
        has_others = all(
            "patternProperties" not in part.keywords or part.meaning(["patternProperties"]) == given
            for part in known.fits
        )
        return has_others and all(
            self._inside(known.property(name), inner) for name in (None, *names)
        )
