"""Search for a small value that some schemas allow and another one refuses.

All schemas are walked together: each of them suggests values for a place. The engine checks each
value, so that the results are always correct. The search is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from scaffold.breaking.candidates import MAX_ITEMS, matching, simple, sizes
from scaffold.breaking.knowledge import Known, applying, positions
from scaffold.breaking.parts import Part, encoded, needed

_MAX_CHECKS = 1500
_DEPTHS = (2, 4, 6, 10)
_FEW = 4
"""The values of one place that are combined with others."""
_MAX_CANDIDATES = 300
_OTHER_NAMES = ("zz", "x-other")
"""Names of properties that schemas rarely describe."""


class OutOfChecksError(Exception):
    """The search exceeded its budget."""


class Search:
    """A search for values, in places that schemas describe."""

    def __init__(self) -> None:
        self._checks = self._deepest = 0
        self._is_cut = False
        self._samples: dict[tuple[Known, int], list[Any]] = {}

    def find(self, known: Known, goal: Part) -> Iterator[Any]:
        """Yield values that fit the knowledge but not the goal, small ones first."""
        yield from self._deeper(lambda: self._refuting(known, goal, 0))

    def with_property(self, known: Known, name: str, refused: Part | None) -> Iterator[Any]:
        """Yield objects with a property that does not fit `refused`, if that is given."""
        yield from self._deeper(lambda: self._new(self._with(known, name, refused), known))

    def _deeper(self, search: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Yield the results of a search, shallow values first."""
        for self._deepest in _DEPTHS:
            self._checks, self._is_cut = 0, False
            self._samples.clear()
            try:
                yield from search()
            except (OutOfChecksError, RecursionError, ValueError):
                continue
            if not self._is_cut:
                return

    def _is_too_deep(self, depth: int) -> bool:
        self._is_cut |= depth > self._deepest
        return depth > self._deepest

    def _with(self, known: Known, name: str, refused: Part | None) -> Iterator[Any]:
        for case in self._cases(known, self._around(known, None)):
            inside = case.property(name)
            values = (
                self._fitting(inside, 1) if refused is None else self._refuting(inside, refused, 1)
            )
            base = self._object(case, sorted(case.required - {name}), 0)
            for value in islice(values, _FEW):
                yield {**base, name: value}

    def _fitting(self, known: Known, depth: int) -> list[Any]:
        """Return a few values that fit the knowledge, for a place."""
        key = known, depth
        if key not in self._samples:
            self._samples[key] = []  # where it is needed in itself
            if not self._is_too_deep(depth):
                values = self._new(self._tries(known, None, depth), known)
                self._samples[key] = [*islice(values, _FEW)]
        return self._samples[key]

    def _refuting(self, known: Known, goal: Part, depth: int) -> Iterator[Any]:
        """Yield values that fit the knowledge but not the goal, for a place."""
        if not (goal.always or self._is_too_deep(depth)):
            values = self._new(self._tries(known, goal, depth), known)
            yield from (value for value in values if not goal.accepts(value))

    def _new(self, values: Iterable[Any], known: Known) -> Iterator[Any]:
        """Yield each value that fits the knowledge, once."""
        seen: set[object] = set()
        for value in values:
            is_deep = isinstance(value, dict | list)
            if (key := encoded(value) if is_deep else (type(value), value)) not in seen:
                seen.add(key)
                self._checks += 1
                if self._checks > _MAX_CHECKS:
                    raise OutOfChecksError
                if all(part.accepts(value) for part in known.parts):
                    yield value

    def _tries(self, known: Known, goal: Part | None, depth: int) -> Iterator[Any]:
        """Yield values that may be interesting, simple ones first."""
        parts = self._around(known, goal)
        kinds = known.kinds
        yield from simple(parts, kinds)
        for case in self._cases(known, parts):
            if "object" in kinds:
                yield from self._objects(case, goal, parts, depth)
            if "array" in kinds:
                yield from self._arrays(case, parts, depth)

    def _around(self, known: Known, goal: Part | None) -> list[Part]:
        """Return all schemas that may be about the same place, those of the goal last."""
        starts = [*known.parts] + ([goal] if goal else [])
        return list(dict.fromkeys(part for start in starts for part in start.around))

    def _cases(self, known: Known, parts: list[Part]) -> Iterator[Known]:
        """Yield the knowledge, alone and with the conditions of branches of schemas."""
        cases: dict[Known, None] = {known: None}
        for part in parts:
            branches = [*part.each("anyOf"), *part.each("oneOf")]
            branches += [
                part.under(word) for word in ("if", "else", "not") if word in part.keywords
            ]
            cases |= {known.and_also(branch): None for branch in branches}
        yield from islice(cases, 24)

    # Objects

    def _objects(
        self, known: Known, goal: Part | None, parts: list[Part], depth: int
    ) -> Iterator[dict[str, Any]]:
        base = self._object(known, sorted(known.required), depth)
        yield base
        yield from ({k: value for k, value in base.items() if k != name} for name in base)
        others = self._fitting(known.property(None), depth + 1)
        names = self._names(parts)
        full = {**self._object(known, names, depth), **base}
        values: dict[str, list[Any]] = {}
        for name in names:
            values[name] = self._values(known, goal, name, depth)
            yield from ({**base, name: value} for value in values[name][: 2 * _FEW])
        for name in [*values][:_MAX_NAMES]:
            yield {key: value for key, value in full.items() if key != name}
            yield from ({**full, name: value} for value in values[name][1:_FEW])
        for size in sizes(parts, "minProperties", "maxProperties"):
            more = {
                f"{_OTHER_NAMES[0]}{n}": others[0]
                for n in range(min(size, _MAX_CANDIDATES))
                if others
            }
            yield dict(islice({**base, **full, **more}.items(), size))

    def _object(self, known: Known, names: Iterable[str], depth: int) -> dict[str, Any]:
        """Return an object with some properties, the values as simple as possible."""
        by_name = {n: self._fitting(known.property(n), depth + 1) for n in names}
        return {name: values[0] for name, values in by_name.items() if values}

    def _names(self, parts: list[Part]) -> list[str]:
        """Return the names that schemas are about, and some others."""
        names: dict[str, None] = {}
        for part in parts:
            named = [*part.keywords.get("properties", ()), *needed(part.keywords)]
            names |= dict.fromkeys(named)
            for pattern in part.keywords.get("patternProperties", ()):
                names |= dict.fromkeys(matching(pattern)[:2])
        return list(dict.fromkeys([*[*names][:60], *_OTHER_NAMES]))

    def _values(self, known: Known, goal: Part | None, name: str, depth: int) -> list[Any]:
        """Return values of a property: those that some schema of the goal refuses first."""
        inside = known.property(name)
        values: dict[str, Any] = {}
        for part in goal.around if goal else ():
            for schema in applying(part, name):
                refuting = islice(self._refuting(inside, schema, depth + 1), _FEW)
                values |= {encoded(value): value for value in refuting}
        values |= {encoded(value): value for value in self._fitting(inside, depth + 1)}
        return list(values.values())

    # Arrays

    def _arrays(self, known: Known, parts: list[Part], depth: int) -> Iterator[list[Any]]:
        prefix = min(max(positions(part)[1] for part in parts), 12)
        lengths = {0, 1, 2, prefix, prefix + 1}
        lengths |= {*sizes(parts, "minItems", "maxItems", "minContains", "maxContains")}
        inner: dict[Part, None] = {}
        for part in parts:
            first, _, rest = positions(part)
            inner |= dict.fromkeys(part.each(first))
            words = (rest, "contains", "unevaluatedItems")
            inner |= {part.under(word): None for word in words if word in part.keywords}
        places: list[list[Any]] = []
        for position in range(prefix + 1):
            item = known.item(position)
            values = self._fitting(item, depth + 1)
            for schema in inner:
                values = [*values, *islice(self._refuting(item, schema, depth + 1), 2)]
                values += self._fitting(item.and_also(schema), depth + 1)[:2]
            places.append([*{encoded(value): value for value in values}.values()])
        for size in sorted(size for size in lengths if size <= MAX_ITEMS):
            spots = [places[min(at, prefix)] for at in range(size)]
            if not all(spots):
                continue
            base = [spot[0] for spot in spots]
            yield base
            if 0 < size <= _MAX_CANDIDATES:
                for value in places[-1]:
                    yield [value] * size
                for at, spot in enumerate(spots[: prefix + 1]):
                    for value in spot[1 : 2 * _FEW]:
                        yield [*base[:at], value, *base[at + 1 :]]


_MAX_NAMES = 12
"""The properties that are varied in an object that has all of them."""
