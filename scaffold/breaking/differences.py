"""What one schema refuses of what another allows, property by property."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Any

from jsonschema_rs import ValidationError
from msgspec import Struct

from scaffold.breaking.cover import Cover
from scaffold.breaking.knowledge import Knowledge, Known
from scaffold.breaking.parts import Document, Part, made
from scaffold.breaking.witness import Search
from scaffold.jsonschema import engine
from scaffold.jsonschema.index import Index
from scaffold.yaml.document import pointer

_MOST_REFUSALS = 40
"""The refused values that are explained to find one that is refused for the reason at hand."""


_MOST_FAULTS = 20
"""The errors of a refused value that are told."""


class Sort(StrEnum):
    """What a difference is about."""

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

    `at` points to what refuses it. `refusal` is why; None if no `witness` was found.
    """

    sort: Sort
    name: str | None
    at: str
    witness: Any = None
    refusal: str | None = None


class Pair:
    """Two schemas: what of the first the second one refuses.

    If it is lenient, nothing is sent that the first schema does not describe, as long as it
    describes properties; see `Cover`.
    """

    def __init__(
        self, first: Document, second: Document, knowledge: Knowledge, is_lenient: bool
    ) -> None:
        self.first, self.second, self.is_lenient = first, second, is_lenient
        self._all = Known([first.root])
        self._knowledge = knowledge
        self._cover = Cover(self._knowledge, first if is_lenient else None)
        self._search = Search(self._knowledge)
        self._left_out = frozenset[str]()

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        """The schemas of the second one that always apply to the whole value."""
        return self._knowledge.facts(Known([self.second.root])).fits

    @cached_property
    def described(self) -> Mapping[str, list[Part]]:
        """The properties that the second schema describes, each with the schemas that do."""
        found: dict[str, list[Part]] = {}
        for part in self._parts:
            for name in part.keywords.get("properties", ()):
                found.setdefault(name, []).append(part)
        return found

    @cached_property
    def required(self) -> Mapping[str, Part]:
        """The properties that the second schema requires."""
        return {name: part for part in self._parts for name in part.keywords.get("required", ())}

    @cached_property
    def _gone(self) -> list[str]:
        """The properties that the first schema describes, and the second one does not."""
        fits = self._knowledge.facts(self._all).fits
        patterns = [
            made({"pattern": pattern})
            for part in self._parts
            for one in part.around
            for pattern in one.keywords.get("patternProperties", ())
        ]
        known = {name for part in self._parts for name in part.names}
        return [
            name
            for name in dict.fromkeys(
                n for part in fits for n in part.keywords.get("properties", ())
            )
            if name not in known
            and name not in self.required
            and not any(pattern.accepts(name) for pattern in patterns)
            and not self._cover.is_absent(self._all, name)
        ]

    @cached_property
    def _added(self) -> list[str]:
        """The optional properties that only the second schema describes, and that nobody sends."""
        names = (name for name in self.described if name not in self.required)
        return [name for name in names if self._cover.is_unsent(self._all, name)]

    def is_kept(self) -> bool:
        """Return whether the second schema is proved to allow all that the first one does.

        If it is lenient, properties are left out that only the first schema knows.
        """
        return self._proves(self._gone if self.is_lenient else ())

    def keeps(self, name: str) -> bool:
        """Return whether the second schema is proved to allow all values of a property."""
        parts = self.described[name]
        return all(self._cover.keeps(self._all, part, name) for part in parts)

    def differences(self) -> Iterator[Difference]:
        """Yield what the second schema refuses, or may refuse."""
        gone = [self._unknown(name) for name in self._gone]
        yield from gone
        refused = {one.name for one in gone if one.name and one.refusal is not None}
        if self._proves(refused):
            return
        self._left_out = frozenset(refused - self._knowledge.required(self._all)).union(self._added)
        found = [one for name in self.required for one in self._required(name)]
        lost = {one.name for one in found}
        found += [
            one for name in self.described if name not in lost for one in self._property(name)
        ]
        yield from found
        named = refused.union(one.name for one in found if one.name)
        if not found or not self._proves(named, needed=named):
            rest = self._rest(named)
            if not refused or found or rest.refusal is not None:
                yield rest

    def at(self, name: str) -> str:
        """Return where the second schema describes a property."""
        return self.described[name][0].at + pointer("properties", name)

    def _proves(self, excused: Iterable[str], needed: Iterable[str] = ()) -> bool:
        self._cover.excused, self._cover.needed = frozenset(excused).union(self._added), {*needed}
        return self._cover.proves(self._all, self.second.root)

    def _without(self, *kept: str) -> Known:
        """Return what is known of the values at hand, without properties explained elsewhere."""
        names = dict.fromkeys(sorted(self._left_out.difference(kept)), False)
        return self._all | {made({"properties": names})} if names else self._all

    def _required(self, name: str) -> Iterator[Difference]:
        goal, part = made({"required": [name]}), self.required[name]
        if self._cover.proves(self._all, goal):
            return
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
        values = self._search.with_property(self._all, name, None)
        return self._shown(Sort.UNKNOWN, name, "", self._about(name, values))

    def _rest(self, named: Collection[str]) -> Difference:
        """Return the difference that is about none of the properties that are named already."""

        def is_told(fault: ValidationError) -> bool:
            subjects = _subjects(fault)
            return bool(subjects) and subjects <= {*named}

        values = islice(self._search.find(self._without(), self.second.root), _MOST_REFUSALS)
        others = (v for v in values if not all(map(is_told, self._faults(v))))
        return self._shown(Sort.REST, None, "", others)

    def _about(self, name: str, objects: Iterator[Any]) -> Iterator[Any]:
        """Yield the objects that are refused for a property."""
        for value in islice(objects, _MOST_REFUSALS):
            if not self.second.root.accepts(value):
                rest = {key: one for key, one in value.items() if key != name}
                if self.second.root.accepts(rest) or any(
                    name in _subjects(fault) for fault in self._faults(value)
                ):
                    yield value

    def _shown(self, sort: Sort, name: str | None, at: str, values: Iterator[Any]) -> Difference:
        """Return a difference with the first of some values that shows it."""
        for value in values:
            if self.first.root.accepts(value) and not self.second.root.accepts(value):
                faults = self._faults(value)
                about = [fault for fault in faults if name in _subjects(fault)]
                refusal = "; ".join(engine.lines(about or faults))
                return Difference(sort, name, at, value, refusal)
        return Difference(sort, name, at)

    def _faults(self, value: Any) -> list[ValidationError]:
        """Return why the second schema refuses a value."""
        return engine.errors(self.second.index.validator, value, _MOST_FAULTS)


def _subjects(fault: ValidationError) -> set[str | int]:
    """Return the properties that an error is about."""
    return {*(fault.instance_path[:1] or engine.properties(fault))}


class Outcome(Struct, frozen=True):
    """What the second of two schemas refuses, and what only it allows.

    `required` are the names of properties that it requires. `is_wider` is true unless it is proved
    to allow nothing more; `wider` says where, without examples.
    """

    refused: tuple[Difference, ...]
    required: frozenset[str]
    is_wider: bool
    wider: tuple[Difference, ...]


def outcome(first: Index, second: Index, is_lenient: bool) -> Outcome:
    """Return what comes of a change from the first schema to the second; see `Pair`."""
    before, after, knowledge = Document(first), Document(second), Knowledge()
    pair = Pair(before, after, knowledge, is_lenient)
    back = Pair(after, before, knowledge, is_lenient)
    refused = tuple(pair.differences())
    is_wider = not back.is_kept()
    wider = _wider(pair, back, {one.name for one in refused}) if is_wider else ()
    return Outcome(refused, frozenset(pair.required), is_wider, tuple(wider))


def _wider(pair: Pair, back: Pair, broken: set[str | None]) -> Iterator[Difference]:
    """Yield what only the second schema allows, property by property, or else as a whole."""
    found = False
    for name in back.required:
        if name in pair.described and name not in pair.required:
            found = True
            yield Difference(Sort.REQUIRED, name, pair.at(name))
    for name in back.described:
        if name not in broken and name in pair.described and not back.keeps(name):
            found = True
            yield Difference(Sort.PROPERTY, name, pair.at(name))
    if not found and not broken:
        yield Difference(Sort.REST, None, "")


def equal(one: Index, other: Index) -> bool:
    """Return whether two schemas are written alike."""
    first, second = one.root.schema, other.root.schema
    # In Python, 1 equals True.
    return first is second or (first == second and _encode(first) == _encode(second))


_encode = json.JSONEncoder(sort_keys=True).encode
