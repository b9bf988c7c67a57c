"""What of one schema another refuses and allows on top; each pair of schemas is compared once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec import Struct

from scaffold.breaking.schemas.difference import Difference, Sort
from scaffold.breaking.schemas.differences import Pair
from scaffold.breaking.schemas.parts import Document
from scaffold.breaking.schemas.plain import PlainPair, plain_pairs
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.texts import Texts
from scaffold.breaking.schemas.verdict import Verdicts, meaning
from scaffold.jsonschema.index import Index

_Pair: TypeAlias = Pair | PlainPair


class Outcome(Struct, frozen=True):
    """What the second of two schemas refuses, and what only it allows.

    `required` are the names of properties that it requires. `is_wider` is true unless it is proved
    to allow nothing more; `wider` says where, without examples.
    """

    refused: tuple[Difference, ...]
    required: frozenset[str]
    is_wider: bool
    wider: tuple[Difference, ...]


@dataclass(frozen=True)
class Outcomes:
    """Compares schemas, and remembers what is hard, since tools often change in the same way."""

    _verdicts: Verdicts = field(default_factory=lambda: Verdicts(Texts()))
    _known: dict[tuple[bytes, bytes, bool], Outcome] = field(default_factory=dict)

    def of(self, first: Index, second: Index, is_lenient: bool) -> Outcome:
        """Return what comes of a change from the first to the second; see `Pair`."""
        self._verdicts.texts.undecided = 0
        if plain := plain_pairs(first, second, self._verdicts, is_lenient):
            return _outcome(*plain)
        key = meaning(first.root.schema), meaning(second.root.schema), is_lenient
        if (found := self._known.get(key)) is None:
            known = Knowledge(self._verdicts.texts)
            before, after = Document(first), Document(second)
            pair = Pair(before, after, known, is_lenient)
            found = _outcome(pair, Pair(after, before, known, is_lenient))
            self._known[key] = found
        return found


def _outcome(pair: _Pair, back: _Pair) -> Outcome:
    refused = tuple(pair.differences())
    is_wider = not back.is_kept()
    wider = _wider(pair, back, {one.name for one in refused}) if is_wider else ()
    return Outcome(refused, frozenset(pair.required), is_wider, tuple(wider))


def _wider(pair: _Pair, back: _Pair, broken: set[str | None]) -> Iterator[Difference]:
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
