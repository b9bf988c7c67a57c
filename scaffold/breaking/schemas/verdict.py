"""Decide whether everything that one schema allows is allowed by another."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from scaffold.breaking.schemas.parts import Claim, Claims, Document
from scaffold.breaking.schemas.proof.knowledge import Knowledge
from scaffold.breaking.schemas.proof.prover import Prover
from scaffold.breaking.schemas.witness import Search
from scaffold.jsonschema.subschema import Schema


class Answer(StrEnum):
    """What is known about two schemas."""

    INCLUDED = "included"
    BROKEN = "broken"
    UNKNOWN = "unknown"


class Verdict(Struct, frozen=True):
    """Whether one schema allows all that another does; a `witness` if it is shown not to."""

    answer: Answer
    witness: Any = None


def judge(narrow: Schema, wide: Schema) -> Verdict:
    """Return whether each value that fits `narrow` also fits `wide`."""
    first, second = Document.of(narrow), Document.of(wide)
    prover = Prover(Knowledge())
    claims = Claims([Claim(first.root)])
    if prover.decide(claims, second.root):
        return Verdict(Answer.INCLUDED)
    for witness in Search(prover.known).find(claims, second.root):
        return Verdict(Answer.BROKEN, witness)
    return Verdict(Answer.UNKNOWN)
