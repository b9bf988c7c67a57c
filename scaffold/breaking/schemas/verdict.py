"""Decide whether everything that one schema allows is allowed by another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any

from msgspec import Struct

from scaffold.breaking.schemas.parts import Claim, Claims, Document, written
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.proof.prover import Prover
from scaffold.breaking.schemas.texts import Texts
from scaffold.breaking.schemas.witness import Search
from scaffold.jsonschema.faults import Explainer, Fault
from scaffold.jsonschema.keywords import URIS
from scaffold.jsonschema.subschema import Schema

_TEXTS = frozenset({"title", "description", "$comment"})
_VALUES = frozenset({"const", "enum", "default", "examples"})
"""The keywords whose values may have keys that only look like keywords."""


class Answer(StrEnum):
    """What is known about two schemas."""

    INCLUDED = "included"
    BROKEN = "broken"
    UNKNOWN = "unknown"


class Verdict(Struct, frozen=True):
    """Whether one schema allows all that another does; a `witness` if it is shown not to.

    `faults` are what the other one has against it.
    """

    answer: Answer
    witness: Any = None
    faults: Sequence[Fault] = ()

    @property
    def is_included(self) -> bool:
        return self.answer is Answer.INCLUDED


INCLUDED = Verdict(Answer.INCLUDED)


def judge(
    narrow: Schema,
    wide: Schema,
    texts: Texts | None = None,
    dialect: str | None = None,
    is_lenient: bool = False,
) -> Verdict:
    """Return whether each value that fits `narrow` also fits `wide`; see `Pair` and `Index.of`."""
    first, second = Document.of(narrow, dialect), Document.of(wide, dialect)
    known = Knowledge(texts)
    search, claims, goal = Search(known), Claims([Claim(first.root)]), second.root
    are_leaves = all(one.index.is_leaf(one.index.root) for one in (first, second))
    # Of simple schemas, a witness is found sooner than a proof fails.
    found = [*islice(search.glance(claims, goal), 1)] if are_leaves else []
    if not found:
        prover = Prover(known, first if is_lenient else None)
        if prover.attempt(lambda: prover.inside(claims, goal)):
            return INCLUDED
        found = [*islice(search.find(claims, goal), 1)]
    for witness in found:
        return Verdict(Answer.BROKEN, witness, _faults(wide, second.dialect, witness))
    return Verdict(Answer.UNKNOWN)


def _faults(schema: Any, dialect: str, value: Any) -> Sequence[Fault]:
    if isinstance(schema, dict):
        schema = {**schema, "$schema": URIS[dialect]}
    return Explainer(schema).find(value)


@dataclass
class Verdicts:
    """Judges schemas of properties, and remembers: tools often have the same, and change alike."""

    texts: Texts
    _known: dict[tuple[bytes, bytes, str, bool], Verdict] = field(default_factory=dict)
    _examples: dict[tuple[bytes, str], list[Any]] = field(default_factory=dict)

    def of(self, narrow: Schema, wide: Schema, dialect: str, is_lenient: bool) -> Verdict:
        """Return whether each value that fits `narrow` also fits `wide`."""
        if written(narrow) == written(wide):
            return INCLUDED
        key = meaning(narrow), meaning(wide), dialect, is_lenient
        if key[0] == key[1]:
            return INCLUDED
        if (found := self._known.get(key)) is None:
            found = judge(narrow, wide, self.texts, dialect, is_lenient)
            if not self.texts.is_exhausted:
                self._known[key] = found
        return found

    def example(self, schema: Schema, dialect: str) -> list[Any]:
        """Return a value that fits a schema; none if none is found."""
        key = meaning(schema), dialect
        if (found := self._examples.get(key)) is None:
            claims = Claims([Claim(Document.of(schema, dialect).root)])
            found = [*islice(Search(Knowledge(self.texts)).fit(claims), 1)]
            if not self.texts.is_exhausted:
                self._examples[key] = found
        return found


def meaning(schema: Schema) -> bytes:
    """Return a schema as bytes without its texts: the same bytes allow the same values."""
    return written(_without_texts(schema))


def _without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: one if key in _VALUES else _without_texts(one)
            for key, one in value.items()
            if not (key in _TEXTS and isinstance(one, str))
        }
    return [*map(_without_texts, value)] if isinstance(value, list) else value
