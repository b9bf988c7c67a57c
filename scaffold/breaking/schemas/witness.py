"""Search for a small value that fits some schemas and not another one.

Both are walked together: what either says of a place makes values for that place. The engine
decides about each value, so that nothing found here is wrong. The search is deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from math import ceil, floor
from typing import Any

from scaffold.breaking.schemas.parts import Claim, Claims, Part, UnansweredError, encoded
from scaffold.breaking.schemas.proof.facts import Name, kind_of
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.strings import UndecidedError, shortest

_MOST_CHECKS = 2000
"""The values that are checked in one search, inner ones included."""
_GLANCE = 10
"""The values that are checked in a search that comes before a proof."""
_DEPTHS = (2, 4, 6, 10)
_FEW = 4
"""The values of one place that are combined with others."""
_LONGEST = 300
_MOST_ITEMS = 10_000
_MOST_CHARACTERS = 200_000
OTHER_NAMES = ("zz", "x-other", "1")
"""Names of properties that schemas rarely describe."""

_TEXTS = (
    "", "a", "ab", "A", "0", "1", "-", " ", "é", "2026-01-31", "2026-01-31T12:00:00Z", "12:00:00Z",
    "P1D", "ada@example.org", "example.org", "192.0.2.1", "2001:db8::1", "https://example.org/",
    "/a", "/b", "#", "%", "(", "{", "~2", "00000000-0000-4000-8000-000000000000", "e30=", "{}", "null", "1999-12-31", "1999-12-31T00:00:00+01:00",
    "23:59:59Z", "P1Y", "b@example.com", "example.com", "198.51.100.7", "::1", "http://example.com",
)  # fmt: skip


class OutOfChecksError(Exception):
    """The search takes too long."""


@dataclass
class Search:
    """A search for values, in places that claims say something of."""

    known: Knowledge
    checks: int = 0
    deepest: int = 0
    _samples: dict[tuple[Claims, int], list[Any]] = field(default_factory=dict)

    def find(self, claims: Claims, goal: Part) -> Iterator[Any]:
        """Yield values of which the claims are true and that do not fit the goal, small ones first."""
        yield from self._deeper(lambda: self.refuting(claims, goal, 0))
        yield from self._deeper(lambda: self._with_all_properties(claims, goal))

    def glance(self, claims: Claims, goal: Part) -> Iterator[Any]:
        """Yield the first of these values, if they are among the first that are checked."""
        self.checks, self.deepest = _MOST_CHECKS - _GLANCE, _DEPTHS[0]
        with suppress(OutOfChecksError, RecursionError, UnansweredError):
            yield from self.refuting(claims, goal, 0)

    def fit(self, claims: Claims) -> Iterator[Any]:
        """Yield values of which the claims are true, small ones first."""
        yield from self._deeper(lambda: self._new(self._tries(claims, None, 1), claims))

    def _deeper(self, search: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Yield what a search finds, first in values that are not nested deeply."""
        for self.deepest in _DEPTHS:
            self.checks = 0
            self._samples.clear()
            try:
                yield from search()
            except (OutOfChecksError, RecursionError, UnansweredError):
                continue

    def _holds(self, claims: Claims, value: Any) -> bool:
        self.checks += 1
        if self.checks > _MOST_CHECKS:
            raise OutOfChecksError
        return all(part.accepts(value) is fits for part, fits in claims)

    def refuting(self, claims: Claims, goal: Part, depth: int) -> Iterator[Any]:
        """Yield values for a place."""
        if goal.always or depth > self.deepest:
            return
        for value in self._new(self._tries(claims, goal, depth), claims):
            if not goal.accepts(value):
                yield value

    def _with_all_properties(self, claims: Claims, goal: Part) -> Iterator[Any]:
        """Yield objects for schemas that have too much in them to try it all."""
        parts = self._vocabulary(claims, goal)
        names = self._names(parts)
        full = (self._object(known, names, 0) for known in self._cases(claims, goal, parts))
        yield from (value for value in self._new(full, claims) if not goal.accepts(value))

    def with_property(self, claims: Claims, name: str, refused: Part | None) -> Iterator[Any]:
        """Yield objects with a property that does not fit `refused`, and of which claims are true."""
        yield from self._deeper(
            lambda: self._new(self._with_property(claims, name, refused), claims)
        )

    def _with_property(self, claims: Claims, name: str, refused: Part | None) -> Iterator[Any]:
        parts = self._vocabulary(claims, None)
        for known in self._cases(claims, None, parts):
            inside = self.known.property(known, self._name(name))
            values = (
                self.fitting(inside, 1) if refused is None else self.refuting(inside, refused, 1)
            )
            required = sorted(self.known.required(known) - {name})
            base = self._object(known, required, 0)
            for value in islice(values, _FEW):
                yield {**base, name: value}
                for other in self._companions(parts, name):
                    beside = self.fitting(self.known.property(known, self._name(other)), 1)
                    yield {**base, name: value, **dict(zip([other], beside, strict=False))}

    def fitting(self, claims: Claims, depth: int) -> list[Any]:
        """Return a few values of which the claims are true, for a place."""
        key = claims, depth
        if key not in self._samples:
            self._samples[key] = []  # where it is needed in itself
            try:
                tries = self._tries(claims, None, depth) if depth <= self.deepest else iter(())
                self._samples[key] = [*islice(self._new(tries, claims), _FEW)]
            except (OutOfChecksError, RecursionError, UnansweredError):
                del self._samples[key]
                raise
        return self._samples[key]

    def _new(self, values: Iterator[Any], claims: Claims) -> Iterator[Any]:
        """Yield each value of which the claims are true, once."""
        seen: set[Hashable] = set()
        for value in values:
            key = (
                encoded(value)
                if isinstance(value, dict | list)
                else (isinstance(value, bool), value)
            )
            if key not in seen:
                seen.add(key)
                if self._holds(claims, value):
                    yield value

    def _tries(self, claims: Claims, goal: Part | None, depth: int) -> Iterator[Any]:
        """Yield values that may be interesting, simple ones first."""
        parts = self._vocabulary(claims, goal)
        kinds = self.known.facts(claims).kinds
        listed = [value for value in _listed(parts) if kind_of(value) in kinds]
        yield from listed
        yield from (value for value in _SIMPLE if kind_of(value) in kinds)
        if "number" in kinds:
            yield from (number for number in _numbers(parts) if abs(number) < 1e300)
        if "string" in kinds:
            yield from self._strings(claims, goal, parts)
        for known in self._cases(claims, goal, parts):
            if "object" in kinds:
                yield from self._objects(known, goal, parts, depth)
            if "array" in kinds:
                yield from self._arrays(known, goal, parts, depth)
        if depth < 2:
            for value in listed:  # one that is nearly listed
                if isinstance(value, dict):
                    yield from ({**value, name: 0} for name in OTHER_NAMES[:1])

    def _vocabulary(self, claims: Claims, goal: Part | None) -> list[Part]:
        """Return all schemas that are about the same place."""
        starts = [claim.part for claim in claims] + ([goal] if goal else [])
        starts.sort(key=lambda part: (part == goal, part.at))
        found = {one: None for start in starts for one in start.document.around(start.at)}
        return list(found)

    def _cases(self, claims: Claims, goal: Part | None, parts: list[Part]) -> Iterator[Claims]:
        """Yield the claims, and with them what makes branches of the schemas apply."""
        yield claims
        extra: dict[Claims, None] = {}
        for part in parts:
            keywords = part.keywords
            branches: list[Part] = []
            for keyword in ("anyOf", "oneOf"):
                if keyword in keywords:
                    branches += part.each(keyword)
            branches += [part.under(word) for word in ("if", "not") if word in keywords]
            for keyword in ("dependentSchemas", "dependencies"):
                for name, rule in keywords.get(keyword, {}).items():
                    if not isinstance(rule, list):
                        given = Claim(self.known.made({"required": [name]}))
                        extra[claims | {given, Claim(part.under(keyword, name))}] = None
                        extra[claims | {given}] = None
            if "if" in keywords and "then" in keywords:
                both = Claim(part.under("if")), Claim(part.under("then"))
                extra[claims | {*both}] = None
            if "if" in keywords and "else" in keywords:
                extra[claims | {Claim(part.under("else"))}] = None
            for branch in branches:
                extra[claims | {Claim(branch)}] = None
            for one, other in list(pairwise(branches))[:_FEW]:
                extra[claims | {Claim(one), Claim(other)}] = None
        yield from (case for case in islice(extra, 24) if case != claims)

    # Strings

    def _strings(self, claims: Claims, goal: Part | None, parts: list[Part]) -> Iterator[str]:
        lengths: dict[int, None] = {}
        for part in parts:
            for keyword in ("minLength", "maxLength"):
                if keyword in part.keywords:
                    size = int(part.keywords[keyword])
                    lengths |= dict.fromkeys((size, size + 1, max(size - 1, 0)))
        yield from _TEXTS
        sizes = [size for size in lengths if size <= _MOST_CHARACTERS]
        yield from ("a" * size for size in sizes)
        patterns = [part.keywords["pattern"] for part in parts if "pattern" in part.keywords]
        patterns = list(dict.fromkeys(patterns))[:6]
        yield from (text for text in map(shortest, patterns) if text is not None)
        for refused in (*patterns, None) if patterns else ():
            for matching in ([p for p in patterns if p != refused], *([p] for p in patterns)):
                if refused in matching:
                    continue
                short = [size for size in sizes if size <= _LONGEST]
                for least in (0, *short):
                    yield from self._found(matching, refused, least)

    def _found(self, matching: list[str], refused: str | None, least: int) -> Iterator[str]:
        try:
            yield from self.known.texts.find(matching, refused, least)
        except UndecidedError:
            return

    # Objects

    def _objects(
        self, claims: Claims, goal: Part | None, parts: list[Part], depth: int
    ) -> Iterator[dict[str, Any]]:
        names = self._names(parts)
        required = sorted(self.known.required(claims))
        base = self._object(claims, required, depth)
        yield base
        for name in required:
            yield {key: value for key, value in base.items() if key != name}
        for name in OTHER_NAMES[:1]:
            known = self.known.property(claims, self._name(name))
            yield from ({**base, name: value} for value in self.fitting(known, depth + 1)[:1])
        values: dict[str, list[Any]] = {}
        for name in names:
            values[name] = self._values(claims, goal, parts, name, depth)
            for value in values[name][: 2 * _FEW]:
                yield {**base, name: value}
                for other in self._companions(parts, name):
                    more = values.get(other) or self._values(claims, goal, parts, other, depth)
                    yield {**base, name: value, **dict(zip([other], more, strict=False))}
        firsts = {name: found[0] for name, found in values.items() if found}
        full = {**firsts, **base}
        yield full
        if len(names) <= 12:
            for name in names:
                yield {key: value for key, value in full.items() if key != name}
                for value in values[name][1:_FEW]:
                    yield {**full, name: value}
        listed = list(firsts.items())[:8]
        for place, (name, value) in enumerate(listed):
            for other, second in listed[place + 1 :]:
                yield {**base, name: value, other: second}
        sizes = {
            int(part.keywords[keyword]) + more
            for part in parts
            for keyword in ("minProperties", "maxProperties")
            if keyword in part.keywords
            for more in (-1, 0, 1)
        }
        for size in sorted(sizes):
            if 0 <= size <= _LONGEST:
                yield dict(islice({**base, **full}.items(), size))
                padded = {**base, **full}
                for number in range(size - len(padded)):
                    name = f"{OTHER_NAMES[0]}{number}"
                    rest = self.fitting(self.known.property(claims, self._name(name)), depth + 1)
                    padded[name] = rest[0] if rest else 0
                yield padded

    def _object(self, claims: Claims, names: Iterable[str], depth: int) -> dict[str, Any]:
        """Return an object with some properties, the values as simple as possible."""
        made: dict[str, Any] = {}
        for name in names:
            known = self.known.property(claims, self._name(name))
            made |= dict(zip([name], self.fitting(known, depth + 1), strict=False))
        return made

    def _name(self, text: str) -> Name:
        return Name(text, frozenset())

    def _names(self, parts: list[Part]) -> list[str]:
        """Return the names that schemas are about, and some others."""
        found: dict[str, None] = {}
        patterns: dict[str, None] = {}
        for part in parts:
            keywords = part.keywords
            found |= dict.fromkeys(keywords.get("properties", ()))
            found |= dict.fromkeys(keywords.get("required", ()))
            for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
                for name, rule in keywords.get(keyword, {}).items():
                    found |= dict.fromkeys([name, *(rule if isinstance(rule, list) else ())])
            patterns |= dict.fromkeys(keywords.get("patternProperties", ()))
            if "propertyNames" in keywords:
                names = part.under("propertyNames")
                for value in self.fitting(Claims([Claim(names)]), self.deepest):
                    if isinstance(value, str):
                        found[value] = None
                tried = Claims([Claim(self.known.made({"type": "string"}))])
                for value in islice(self.refuting(tried, names, self.deepest), 2):
                    found[value] = None
        for pattern in patterns:
            found |= dict.fromkeys(islice(self._found([pattern], None, 0), 2))
            for other in patterns:
                if other != pattern:
                    found |= dict.fromkeys(islice(self._found([pattern], other, 0), 1))
                    found |= dict.fromkeys(islice(self._found([pattern, other], None, 0), 1))
        free = [name for name in OTHER_NAMES if name not in found]
        return list(found)[:60] + free[:2]

    def _companions(self, parts: list[Part], name: str) -> list[str]:
        """Return the properties that one needs beside it."""
        found: dict[str, None] = {}
        for part in parts:
            for keyword in ("dependentRequired", "dependencies"):
                rule = part.keywords.get(keyword, {}).get(name)
                if isinstance(rule, list):
                    found |= dict.fromkeys(rule)
        return list(found)[:3]

    def _values(
        self, claims: Claims, goal: Part | None, parts: list[Part], name: str, depth: int
    ) -> list[Any]:
        """Return values of a property: those that some schema of it refuses first."""
        known = self.known.property(claims, self._name(name))
        found: dict[str, Any] = {}
        if goal is not None and depth < self.deepest:
            ours = {one for start in [goal] for one in start.document.around(start.at)}
            for part in parts:
                if part in ours:
                    for inner in self.known.applying(part, self._name(name)):
                        if not inner.always:
                            some = islice(self.refuting(known, inner, depth + 1), _FEW)
                            found |= {encoded(value): value for value in some}
        found |= {encoded(value): value for value in self.fitting(known, depth + 1)}
        return list(found.values())

    # Arrays

    def _arrays(
        self, claims: Claims, goal: Part | None, parts: list[Part], depth: int
    ) -> Iterator[list[Any]]:
        prefix = 0
        lengths = {0: None, 1: None, 2: None}
        inner: dict[Part, None] = {}
        for part in parts:
            keywords = part.keywords
            for keyword in ("minItems", "maxItems", "minContains", "maxContains"):
                if keyword in keywords:
                    size = int(keywords[keyword])
                    lengths |= dict.fromkeys((size, size + 1, max(size - 1, 0)))
            for keyword in ("prefixItems", "items", "additionalItems", "contains"):
                if isinstance(keywords.get(keyword), list):
                    prefix = max(prefix, len(keywords[keyword]))
                    inner |= dict.fromkeys(part.each(keyword))
                elif keyword in keywords:
                    inner[part.under(keyword)] = None
            if "unevaluatedItems" in keywords:
                inner[part.under("unevaluatedItems")] = None
        lengths |= dict.fromkeys((prefix, prefix + 1))
        prefix = min(prefix, 12)
        places: list[list[Any]] = []
        for position in (*range(prefix), None):
            known = self.known.item(claims, position)
            found: dict[str, Any] = {}
            if depth < self.deepest:
                for schema in inner:
                    some = islice(self.refuting(known, schema, depth + 1), 2)
                    found |= {encoded(value): value for value in some}
                    more = self.fitting(known | {Claim(schema)}, depth + 1)[:2]
                    found |= {encoded(value): value for value in more}
            fitting = self.fitting(known, depth + 1)
            found |= {encoded(value): value for value in fitting}
            places.append([*fitting[:1], *found.values()])
        for size in sorted(size for size in lengths if size <= _MOST_ITEMS):
            spots = [places[min(at, prefix)] for at in range(size)]
            if not all(spots):
                continue
            base = [spot[0] for spot in spots]
            yield base
            if size > _LONGEST:
                continue
            # Different items, as far as there are some.
            yield [spot[at % len(spot)] for at, spot in enumerate(spots)]
            yield [value for _, value in zip(range(size), _distinct(spots), strict=False)]
            for value in chain(*places[-1:]):
                if size:
                    yield [value] * size
                    yield [*base[:-1], value]
                    yield [value, *base[1:]]
            for at, spot in enumerate(spots[: prefix + 1]):
                for value in spot[1 : 2 * _FEW]:
                    yield [*base[:at], value, *base[at + 1 :]]


_SIMPLE: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, "a", "", [], {})


def _distinct(spots: list[list[Any]]) -> Iterator[Any]:
    """Yield a value for each spot that no other has, with made-up ones at the end."""
    used: set[str] = set()
    for spot in spots:
        value = next((one for one in spot if encoded(one) not in used), None)
        if value is None:
            kind = {kind_of(one) for one in spot}
            number = len(used)
            value = f"a{number}" if "string" in kind else number
        used.add(encoded(value))
        yield value


def _listed(parts: list[Part]) -> Iterator[Any]:
    """Yield the values that schemas name, first those that some lists have and others lack."""
    lists = [part.keywords["enum"] for part in parts if "enum" in part.keywords]
    counts = Counter(encoded(value) for values in lists for value in values)
    for values in lists:
        yield from (value for value in values if counts[encoded(value)] < len(lists))
    for part in parts:
        written = part.schema.keywords
        if "const" in written:
            yield written["const"]
        for keyword in ("enum", "examples"):
            if isinstance(written.get(keyword), list):
                yield from written[keyword][:200]
        if "default" in written:
            yield written["default"]


def _numbers(parts: list[Part]) -> Iterator[float]:
    """Yield numbers at and around the bounds that schemas name."""
    bounds = [
        part.keywords[keyword]
        for part in parts
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        if keyword in part.keywords
    ]
    steps = [1, *(part.keywords["multipleOf"] for part in parts if "multipleOf" in part.keywords)]
    for bound in bounds:
        yield from (bound, bound - 1, bound + 1, bound - 0.5, bound + 0.5)
        yield from (_whole(bound, floor), _whole(bound, ceil))
    for step in steps:
        yield from (step * factor for factor in (1, -1, 2, 3, 5, 7))
        for bound in bounds:
            if step and abs(bound / step) < 2**53:
                times = floor(bound / step)
                yield from ((times - 1) * step + step * n for n in range(4))
    if len(steps) > 2:
        yield steps[1] * steps[2]
    for bound in bounds:
        yield from (bound - 10, bound + 10, bound * 2 + 1)


def _whole(bound: float, rounded: Any) -> float:
    return int(rounded(bound)) if abs(bound) < 2**53 else bound
