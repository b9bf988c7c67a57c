"""Compare two schemas that only list the properties of an object, one property after another.

Most schemas of tools are like this. As nothing else is about a property, its own schemas decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from scaffold.breaking.schemas.difference import Difference, Sort, refusal
from scaffold.breaking.schemas.verdict import INCLUDED, Answer, Verdict, Verdicts
from scaffold.breaking.schemas.witness import OTHER_NAMES
from scaffold.jsonschema.faults import Explainer, Fault, Spot
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.subschema import Schema
from scaffold.yaml.document import pointer

_KEYWORDS = frozenset({
    "$schema", "title", "description", "type", "properties", "required", "additionalProperties",
})  # fmt: skip


class Plain(Struct, frozen=True):
    """A schema of objects that only says which properties they have, and what each of them allows.

    It `is_open` if there may be others, and `is_meant` to be if it says so.
    """

    index: Index
    properties: Mapping[str, Schema]
    required: Mapping[str, None]
    is_open: bool
    is_meant: bool

    @classmethod
    def of(cls, index: Index) -> Plain | None:
        """Return a schema as a plain one, if it is."""
        keywords = index.root.keywords
        if index.refers or not keywords.keys() <= _KEYWORDS or keywords.get("type") != "object":
            return None
        properties = keywords.get("properties", {})
        required = dict.fromkeys(keywords.get("required", ()))
        match keywords.get("additionalProperties"):
            case None | True as others:
                return cls(index, properties, required, True, others is True)
            case False if required.keys() <= properties.keys():
                return cls(index, properties, required, False, False)
        return None


class PlainPair:
    """Two plain schemas; see `Pair`.

    `examples` are values of the properties that objects of the first schema must have, and of those
    that only it describes. The others of these are proved to be impossible.
    """

    def __init__(
        self,
        first: Plain,
        second: Plain,
        examples: Mapping[str, Any],
        verdicts: Verdicts,
        is_lenient: bool,
    ) -> None:
        self.first, self.second, self.examples = first, second, examples
        self.verdicts, self.is_lenient = verdicts, is_lenient
        self.required = second.required
        self.described = second.properties

    @classmethod
    def of(
        cls, first: Plain, second: Plain, verdicts: Verdicts, is_lenient: bool
    ) -> PlainPair | None:
        """Return two schemas as a pair, unless it is not known which properties are possible."""
        examples: dict[str, Any] = {}
        only = first.properties.keys() - second.properties.keys()
        for name in sorted(first.required.keys() | only):
            schema, dialect = first.properties.get(name, True), first.index.dialect
            for value in verdicts.example(schema, dialect):
                examples[name] = value
            is_possible = name in examples
            if not (is_possible or verdicts.of(schema, False, dialect, is_lenient).is_included):
                return None
        return cls(first, second, examples, verdicts, is_lenient)

    @property
    def _is_empty(self) -> bool:
        """Whether the first schema allows nothing, as it requires what is impossible."""
        return not self.first.required.keys() <= self.examples.keys()

    @cached_property
    def _strange(self) -> frozenset[str]:
        """The possible properties that only the first schema describes."""
        only = self.first.properties.keys() - self.second.properties.keys()
        return frozenset(only & self.examples.keys())

    @cached_property
    def _least(self) -> Mapping[str, Any]:
        """An object of the first schema with no more properties than it must have."""
        return {n: value for n, value in self.examples.items() if n in self.first.required}

    def at(self, name: str) -> str:
        """Return where the second schema describes a property."""
        return f"/properties{pointer(name)}"

    def differences(self) -> Iterator[Difference]:
        """Yield what the second schema refuses, or may refuse."""
        first, second = self.first, self.second
        for name in first.properties:
            if name in self._strange and name not in second.required:
                yield self._unknown(name)
        if self._is_empty:
            return
        lost = {name: None for name in second.required if name not in first.required}
        for name in lost:
            at = self.at(name) if name in second.properties else "/required"
            fault = self._fault(self._least, "required", name)
            yield self._shown(Sort.REQUIRED, name, at, self._least, fault)
        for name in second.properties:
            if name in first.properties or name not in lost:
                yield from self._property(name)
        if first.is_open and not second.is_open:
            yield self._rest()

    def keeps(self, name: str) -> bool:
        """Return whether the second schema is proved to allow all values of a property."""
        return self._verdict(name).is_included

    def _is_unsent(self, name: str) -> bool:
        first = self.first
        if name in first.properties or name in first.required:
            return False
        return not first.is_open or (self.is_lenient and not first.is_meant)

    def is_kept(self) -> bool:
        """Return whether the second schema is proved to allow all that the first one does."""
        first, second, others = self.first, self.second, self._strange
        if self.is_lenient and not others & first.required.keys():
            others = frozenset()
        return self._is_empty or (
            second.required.keys() <= first.required.keys()
            and (second.is_open or not (first.is_open or others))
            and all(map(self.keeps, second.properties))
        )

    def _unknown(self, name: str) -> Difference:
        if self.second.is_open or self._is_empty:
            return Difference(Sort.UNKNOWN, name, "")
        value = {**self._least, name: self.examples[name]}
        fault = self._fault(value, "additionalProperties", name)
        return self._shown(Sort.UNKNOWN, name, "", value, fault)

    def _property(self, name: str) -> Iterator[Difference]:
        verdict = self._verdict(name)
        if verdict.answer is Answer.UNKNOWN:
            yield Difference(Sort.PROPERTY, name, self.at(name))
        if verdict.answer is not Answer.BROKEN:
            return
        rest = {key: value for key, value in self._least.items() if key != name}
        value = {**rest, name: verdict.witness}
        inside = [(f.spot._replace(path=(name, *f.spot.path)), f) for f in verdict.faults]
        faults = [fault._replace(spot=spot) for spot, fault in inside]
        yield self._shown(Sort.PROPERTY, name, self.at(name), value, *faults)

    def _rest(self) -> Difference:
        described = self.first.properties.keys() | self.second.properties.keys()
        value = {**self._least}
        if value.keys() <= described:
            value |= dict.fromkeys([n for n in OTHER_NAMES if n not in described][:1])
        keywords = {**self.second.index.root.keywords}
        return self._shown(Sort.REST, None, "", value, *Explainer(keywords).find(value))

    def _verdict(self, name: str) -> Verdict:
        """Return whether the second schema allows all values of a property that are sent."""
        if self._is_unsent(name):
            return INCLUDED
        before = self.first.properties.get(name, True)
        now = self.second.properties[name]
        return self.verdicts.of(before, now, self.first.index.dialect, self.is_lenient)

    def _fault(self, value: Mapping[str, Any], keyword: str, name: str) -> Fault:
        """Return what a keyword of the second schema has against a property of a value, or none."""
        return Fault(Spot("", self.second.index.root.keywords, value, ()), keyword, (name,))

    def _shown(
        self, sort: Sort, name: str | None, at: str, value: Mapping[str, Any], *faults: Fault
    ) -> Difference:
        """Return a difference with a value that shows it, if it does, and what a server says."""
        first, second = self.first.index.validator, self.second.index.validator
        if first.is_valid(value) and not second.is_valid(value):
            return Difference(sort, name, at, value, refusal(faults, name))
        return Difference(sort, name, at)


def plain_pairs(
    first: Index, second: Index, verdicts: Verdicts, is_lenient: bool
) -> tuple[PlainPair, PlainPair] | None:
    """Return two schemas as a pair, and the other way round, if both are plain."""
    one, other = Plain.of(first), Plain.of(second)
    if one is None or other is None or first.dialect != second.dialect:
        return None
    pair = PlainPair.of(one, other, verdicts, is_lenient)
    back = pair and PlainPair.of(other, one, verdicts, is_lenient)
    return (pair, back) if pair and back else None
