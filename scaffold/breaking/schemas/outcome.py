"""What of one schema another refuses and allows on top; each pair of schemas is compared once."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from scaffold.breaking.schemas.differences import Difference, Pair, Sort
from scaffold.breaking.schemas.parts import Document
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.jsonschema.index import Index

_TEXTS = frozenset({"title", "description", "$comment"})
_VALUES = frozenset({"const", "enum", "default", "examples"})
"""The keywords whose values may have keys that only look like keywords."""


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
    """Compares schemas, and remembers the outcomes, since tools often change in the same way."""

    _known: dict[tuple[bytes, bytes, bool], Outcome] = field(default_factory=dict)

    def of(self, first: Index, second: Index, is_lenient: bool) -> Outcome:
        """Return what comes of a change from the first to the second; see `Pair`."""
        key = _key(first), _key(second), is_lenient
        if (found := self._known.get(key)) is None:
            found = self._known[key] = _outcome(first, second, is_lenient)
        return found


def _key(index: Index) -> bytes:
    """Return what tells schemas apart that allow other values, or name other ones."""
    return marshal.dumps(_without_texts(index.root.schema), 2)


def _without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: one if key in _VALUES else _without_texts(one)
            for key, one in value.items()
            if not (key in _TEXTS and isinstance(one, str))
        }
    return [*map(_without_texts, value)] if isinstance(value, list) else value


def _outcome(first: Index, second: Index, is_lenient: bool) -> Outcome:
    known = Knowledge()
    before, after = Document(first), Document(second)
    pair = Pair(before, after, known, is_lenient)
    refused = tuple(pair.differences())
    back = Pair(after, before, known, is_lenient)
    if is_lenient:
        back.ignore(back.gone)
    is_wider = not back.is_included
    wider = _wider(pair, back, {one.name for one in refused}) if is_wider else ()
    return Outcome(refused, frozenset(pair.required), is_wider, tuple(wider))


def _wider(pair: Pair, back: Pair, broken: set[str | None]) -> Iterator[Difference]:
    """Yield what only the second schema allows, property by property, or else as a whole."""
    found = False
    for name in back.required:
        if name in pair.described and name not in pair.required:
            found = True
            yield Difference(Sort.REQUIRED, name, _at(pair, name))
    for name in back.described:
        if name not in broken and name in pair.described and not back.keeps(name):
            found = True
            yield Difference(Sort.PROPERTY, name, _at(pair, name))
    if not found and not broken:
        yield Difference(Sort.REST, None, "")


def _at(pair: Pair, name: str) -> str:
    return pair.described[name][0].under("properties", name).at
