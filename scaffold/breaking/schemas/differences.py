"""What two schemas of objects say differently, property by property, each with a proof."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from scaffold.breaking.schemas.difference import Difference, Sort, is_about, refusal
from scaffold.breaking.schemas.parts import Claim, Claims, Document, Part, encoded, written
from scaffold.breaking.schemas.proof.facts import KINDS, Name
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.proof.objects import OPEN_ENDED
from scaffold.breaking.schemas.proof.prover import Prover
from scaffold.breaking.schemas.witness import Search
from scaffold.jsonschema.faults import Explainer, Fault
from scaffold.jsonschema.index import Index
from scaffold.yaml.document import pointer

_MOST_REFUSALS = 40
"""The refused values that are explained to find one that is refused for the reason at hand."""


class Pair:
    """Two schemas: what of the first the second one refuses.

    With `is_lenient`, nothing is sent that the first schema does not describe, as long as it
    describes properties; see `Prover`.
    """

    def __init__(
        self, first: Document, second: Document, known: Knowledge, is_lenient: bool
    ) -> None:
        self.first, self.second = first, second
        self.prover = Prover(known, first if is_lenient else None)
        self.search = Search(known)
        self.claims = Claims([Claim(self.first.root)])
        self.is_lenient = is_lenient
        self.ignored: tuple[str, ...] = ()

    @cached_property
    def explainer(self) -> Explainer:
        """What says why the second schema refuses a value."""
        return Explainer(self.second.index.root.schema)  # type: ignore[arg-type]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The schemas of the second one that always apply to the whole value."""
        return self.prover.known.facts(Claims([Claim(self.second.root)])).fits

    @cached_property
    def described(self) -> Mapping[str, list[Part]]:
        """The names that the second schema always describes, with the schemas that do."""
        found: dict[str, list[Part]] = {}
        for part in self.parts:
            for name in part.keywords.get("properties", ()):
                found.setdefault(name, []).append(part)
        return found

    @cached_property
    def required(self) -> Mapping[str, Part]:
        """The names that the second schema requires."""
        return {name: part for part in self.parts for name in part.keywords.get("required", ())}

    @cached_property
    def known(self) -> frozenset[str]:
        """The names that the first schema says something of, some perhaps in branches only."""
        facts = self.prover.known.facts(self.claims)
        mentions = [part.document.mention(part.at) for part in facts.fits]
        return frozenset[str]().union(*(one.names | one.needed for one in mentions))

    @cached_property
    def gone(self) -> tuple[str, ...]:
        """The names that the first schema describes, and the second one does not."""
        facts = self.prover.known.facts(self.claims)
        mentions = [part.document.mention(part.at) for part in self.parts]
        named = frozenset[str]().union(*(mention.names for mention in mentions))
        patterns = frozenset[str]().union(*(mention.patterns for mention in mentions))
        names = dict.fromkeys(name for p in facts.fits for name in p.keywords.get("properties", ()))
        return tuple(
            name
            for name in names
            if name not in named
            and name not in self.required
            and not any(self.prover.known.made({"pattern": p}).accepts(name) for p in patterns)
            and not self.prover.attempt(lambda: self._is_absent(name))  # noqa: B023
        )

    def _is_absent(self, name: str) -> bool:
        return self.prover.objects.is_absent(self.claims, Name(name, frozenset()))

    @cached_property
    def added(self) -> tuple[str, ...]:
        """The optional properties that only the second schema describes, and that nobody sends."""
        return tuple(
            name
            for name in self.described
            if name not in self.known and name not in self.required and self._is_unsent(name)
        )

    def _is_unsent(self, name: str) -> bool:
        if self.prover.sent is None:
            return False
        if self.prover.objects.is_undescribed(self.claims, name) or self._is_absent(name):
            return True
        facts = self.prover.known.facts(self.claims)
        around = [one for part in facts.fits for one in part.document.around(part.at)]
        return not any(one.keywords.keys() & {*OPEN_ENDED, "patternProperties"} for one in around)

    def ignore(self, names: Iterable[str]) -> bool:
        """Look at objects without some properties only; return whether there are such objects.

        If none is found, objects with these properties are looked at as before: of what cannot be,
        everything is proved.
        """
        self.ignored = tuple(names)
        nothing = self.prover.known.nothing
        if self.ignored and (
            self.prover.decide(self.without(), nothing)
            or next(self.search.find(self.without(), nothing), None) is None
        ):
            self.ignored = ()
            return False
        return True

    def without(self, *kept: str) -> Claims:
        """Return the claims, and that an object has none of the ignored and added properties."""
        names = {name: False for name in (*self.ignored, *self.added) if name not in kept}
        if not names:
            return self.claims
        return self.claims | {Claim(self.prover.known.made({"properties": names}))}

    def is_kept(self) -> bool:
        """Return whether the second schema is proved to allow all that the first one does.

        With `is_lenient`, this is about objects without properties that only the first schema knows.
        """
        if self.is_lenient:
            self.ignore(self.gone)
        return self.is_included

    @property
    def is_included(self) -> bool:
        """Whether everything that the first allows is proved to be allowed by the second."""
        return self.prover.decide(self.without(), self.second.root)

    def differences(self) -> Iterator[Difference]:
        """Yield what the second schema refuses, or may refuse."""
        gone = [self._unknown(name) for name in self.gone]
        yield from gone
        refused = [one.name for one in gone if one.name and one.refusal is not None]
        is_possible = self.ignore(refused)
        if self.is_included:
            return
        found: list[Difference] = []
        for name, part in self.required.items():
            found += self._required(name, part)
        lost = {one.name for one in found}
        for name, parts in self.described.items():
            if name in self.known or (name not in lost and name not in self.added):
                found += self._property(name, parts)
        yield from found
        # Nothing found, and yet no proof of the whole: there must be something else.
        if not found or not self.prover.attempt(self._rest_is_included):
            rest = self._rest({*refused, *(one.name for one in found)})
            if is_possible or rest.refusal is not None:
                yield rest

    def at(self, name: str) -> str:
        """Return where the second schema describes a property."""
        return self.described[name][0].under("properties", name).at

    def keeps(self, name: str) -> bool:
        """Return whether the second schema is proved to allow all values of a property."""
        parts = self.described.get(name, ())
        return self.prover.attempt(
            lambda: self.prover.case_by_case(
                self.without(name),
                "object",
                lambda claims: all(
                    self.prover.objects.described(claims, part, name) for part in parts
                ),
            )
        )

    def _required(self, name: str, part: Part) -> Iterator[Difference]:
        claims = self.without(name)
        goal = self.prover.known.made({"required": [name]})
        if self.prover.decide(claims, goal):
            return
        at = f"{part.at}/properties{pointer(name)}"
        if at not in self.second.index.all:
            at = f"{part.at}/required"
        for value in self.search.find(claims, goal):
            if not self.second.root.accepts(value):
                yield self._shown(Sort.REQUIRED, name, at, value)
                return
        yield Difference(Sort.REQUIRED, name, at)

    def _property(self, name: str, parts: list[Part]) -> Iterator[Difference]:
        if self.keeps(name):
            return
        claims = self.without(name)
        at = ""
        for part in parts:
            inner = part.under("properties", name)
            at = at or inner.at
            for value in self.search.with_property(claims, name, inner):
                if not self.second.root.accepts(value):
                    yield self._shown(Sort.PROPERTY, name, inner.at, value)
                    return
        yield Difference(Sort.PROPERTY, name, at)

    def _unknown(self, name: str) -> Difference:
        found = islice(self.search.with_property(self.without(name), name, None), _MOST_REFUSALS)
        for value in found:
            rest = {key: one for key, one in value.items() if key != name}
            if not self.second.root.accepts(value) and (
                self.second.root.accepts(rest)
                or any(is_about(fault, name) for fault in self._faults(value))
            ):
                return self._shown(Sort.UNKNOWN, name, "", value)
        return Difference(Sort.UNKNOWN, name, "")

    def _rest_is_included(self) -> bool:
        claims = self.without()
        skipped = {"required", "properties", "$ref", "$dynamicRef", "allOf"}
        return (
            all(target is not None for part in self.parts for target in part.targets())
            and all(
                self.prover.case_by_case(
                    claims,
                    kind,
                    lambda known: all(
                        not part.never and self.prover.keyword(known, kind, part, keyword)  # noqa: B023
                        for part in self.parts
                        for keyword in part.keywords
                        if keyword not in skipped
                    ),
                )
                for kind in KINDS
            )
            and not any(part.never for part in self.parts)
        )

    def _rest(self, named: Collection[str | None]) -> Difference:
        """Return the difference that is about none of the properties that are named already."""
        refused = islice(self.search.find(self.without(), self.second.root), _MOST_REFUSALS)
        for value in refused:
            for fault in self._faults(value):
                if not any(is_about(fault, name) for name in named):
                    return self._shown(Sort.REST, None, "", value)
        return Difference(Sort.REST, None, "")

    def _faults(self, value: Any) -> list[Fault]:
        return self.explainer.find(value)

    def _shown(self, sort: Sort, name: str | None, at: str, value: Any) -> Difference:
        return Difference(sort, name, at, value, refusal(self._faults(value), name))


def equal(one: Index, other: Index) -> bool:
    """Return whether two schemas are written alike."""
    if one is other:
        return True
    first, second = one.root.schema, other.root.schema
    if written(first) == written(second):
        return True
    # In Python, 1 equals True.
    return first == second and encoded(first) == encoded(second)
