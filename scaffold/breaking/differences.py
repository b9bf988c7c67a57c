"""Find the values that one schema refuses and another allows, property by property."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Any

from jsonschema_rs import ValidationError
from msgspec import Struct

from scaffold.breaking.cover import Cover
from scaffold.breaking.knowledge import Known
from scaffold.breaking.parts import Document, Part, part_of
from scaffold.breaking.witness import Search
from scaffold.schema import engine
from scaffold.schema.index import Index
from scaffold.yaml.document import pointer

_MAX_REFUSALS = 40
"""The maximum number of refused values to check for the reason in question."""


_MAX_FAULTS = 20
"""The maximum number of errors reported for a refused value."""


class Sort(StrEnum):
    """The subject of a difference."""

    REQUIRED = "required"
    """A property that only the schema that refuses values requires."""
    PROPERTY = "property"
    """The values of a property that both schemas know, or only the one that refuses some."""
    UNKNOWN = "unknown"
    """A property that only the schema that allows it knows."""
    REST = "rest"
    """Anything else."""


class Difference(Struct, frozen=True):
    """A value that one schema allows and the other one refuses, or may refuse.

    `at` points to the schema that refuses it. `refusal` is the reason; None if no `witness` was
    found.
    """

    sort: Sort
    name: str | None
    at: str
    witness: Any = None
    refusal: str | None = None


class _Pair:
    """A comparison of two schemas: the values of the first that the second one refuses."""

    def __init__(self, first: Index, second: Index, is_lenient: bool) -> None:
        before, self._second = Document(first), Document(second).root
        self._all = Known([before.root])
        self._parts = self._all.of([self._second]).fits
        self._cover = Cover(before if is_lenient else None)
        self._search = Search()
        self._left_out = frozenset[str]()

    @cached_property
    def described(self) -> Mapping[str, list[Part]]:
        """The properties that the second schema describes, each with the schemas that do."""
        parts: dict[str, list[Part]] = {}
        for part in self._parts:
            for name in part.keywords.get("properties", ()):
                parts.setdefault(name, []).append(part)
        return parts

    @cached_property
    def required(self) -> Mapping[str, Part]:
        """The properties that the second schema requires."""
        return {name: part for part in self._parts for name in part.keywords.get("required", ())}

    @cached_property
    def _gone(self) -> list[str]:
        """The properties that the first schema describes, and the second one does not."""
        known = {*self.required}.union(*(part.names for part in self._parts))
        names = (name for part in self._all.fits for name in part.keywords.get("properties", ()))
        return [name for name in dict.fromkeys(names) if name not in known]

    @cached_property
    def _added(self) -> list[str]:
        """The optional properties that only the second schema describes, and that nobody sends."""
        names = (name for name in self.described if name not in self.required)
        return [name for name in names if self._cover.is_unsent(self._all, name)]

    def requires(self, name: str) -> bool:
        """Return whether the first schema is proved to require a property."""
        goal = part_of({"required": [name]})
        return name in self._all.required or self._cover.proves(self._all, goal)

    def keeps(self, name: str) -> bool:
        """Return whether the second schema is proved to allow all values of a property."""
        parts = self.described[name]
        return all(self._cover.keeps(self._all, part, name) for part in parts)

    def differences(self) -> Iterator[Difference]:
        """Yield the differences: values that the second schema refuses, or may refuse."""
        gone = [self._unknown(name) for name in self._gone]
        yield from gone
        refused = {
            difference.name
            for difference in gone
            if difference.name and difference.refusal is not None
        }
        if self._cover.proves(self._all, self._second):
            return
        self._left_out = frozenset(refused - self._all.required).union(self._added)
        differences = [difference for name in self.required for difference in self._required(name)]
        lost = {difference.name for difference in differences}
        differences += [
            difference
            for name in self.described
            if name not in lost
            for difference in self._property(name)
        ]
        yield from differences
        rest = self._without().and_also(part_of({"required": [*self.required]}))
        described = [
            difference.name
            for difference in differences
            if difference.sort is Sort.PROPERTY and difference.name
        ]
        inside = [(name, part) for name in described for part in self.described[name]]
        if not self._cover.proves(rest, self._second, inside):
            yield from self._rest(
                rest,
                refused.union(difference.name for difference in differences if difference.name),
            )

    def _without(self, *kept: str) -> Known:
        """Return the knowledge about the values, without properties explained elsewhere."""
        names = dict.fromkeys(sorted(self._left_out.difference(kept)), False)
        return self._all.and_also(part_of({"properties": names})) if names else self._all

    def _required(self, name: str) -> Iterator[Difference]:
        if not self.requires(name):
            goal, part = part_of({"required": [name]}), self.required[name]
            is_described = name in part.keywords.get("properties", ())
            at = part.at + (pointer("properties", name) if is_described else "/required")
            yield self._shown(Sort.REQUIRED, name, at, self._search.find(self._without(name), goal))

    def _property(self, name: str) -> Iterator[Difference]:
        if self.keeps(name):
            return
        goals = [part.under("properties", name) for part in self.described[name]]
        values = (
            v for g in goals for v in self._search.with_property(self._without(name), name, g)
        )
        yield self._shown(Sort.PROPERTY, name, goals[0].at, values)

    def _unknown(self, name: str) -> Difference:
        """Return the difference for a removed property, with an object refused for it, if any."""

        def is_reason(value: Any, faults: list[ValidationError]) -> bool:
            rest = {key: item for key, item in value.items() if key != name}
            return self._second.accepts(rest) or any(name in _subjects(fault) for fault in faults)

        values = self._search.with_property(self._all, name, None)
        return self._shown(Sort.UNKNOWN, name, "", values, is_reason)

    def _rest(self, known: Known, named: Collection[str]) -> Iterator[Difference]:
        """Yield the difference that is not about a property reported already."""

        def is_reported(fault: ValidationError) -> bool:
            subjects = _subjects(fault)
            return bool(subjects) and subjects <= {*named}

        def is_other(value: Any, faults: list[ValidationError]) -> bool:
            return not all(map(is_reported, faults))

        difference = self._shown(
            Sort.REST, None, "", self._search.find(known, self._second), is_other
        )
        if not named or difference.refusal is not None:
            yield difference

    def _shown(
        self,
        sort: Sort,
        name: str | None,
        at: str,
        values: Iterator[Any],
        is_it: Callable[[Any, list[ValidationError]], bool] = lambda value, faults: True,
    ) -> Difference:
        """Return a difference with the first of some values that shows it.

        The first schema allows all of them. A value whose faults are about something else does not
        show it.
        """
        for value in islice(values, _MAX_REFUSALS):
            if self._second.accepts(value):
                continue
            faults = engine.errors(self._second.document.index.validator, value, _MAX_FAULTS)
            if is_it(value, faults):
                about = [fault for fault in faults if name in _subjects(fault)]
                refusal = "; ".join(engine.lines(about or faults))
                return Difference(sort, name, at, value, refusal)
        return Difference(sort, name, at)


def _subjects(fault: ValidationError) -> set[str | int]:
    """Return the properties that an error is about."""
    return {*(fault.instance_path[:1] or engine.properties(fault))}


def differences(first: Index, second: Index, is_lenient: bool) -> list[Difference]:
    """Return the values of the first schema that the second one refuses, or may refuse.

    If it is lenient, nothing is sent that the first schema does not describe, as long as it
    describes properties; see `Cover`.
    """
    return [*_Pair(first, second, is_lenient).differences()]
