"""A difference between two schemas, and what a server says about a value that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from scaffold.jsonschema.faults import Fault


class Sort(StrEnum):
    """What a difference is about."""

    REQUIRED = "required"
    """A property that one schema requires, and the other does not."""
    PROPERTY = "property"
    """The values of a property that both schemas know, or only the one that refuses."""
    UNKNOWN = "unknown"
    """A property that only the schema that allows it knows."""
    REST = "rest"
    """Anything else."""


class Difference(Struct, frozen=True):
    """A value that one schema allows and the other one refuses, or may refuse.

    `at` points to what refuses it. `refusal` is why, in the words of a server; None if no `witness`
    was found.
    """

    sort: Sort
    name: str | None
    at: str
    witness: Any = None
    refusal: str | None = None


def refusal(faults: Sequence[Fault], name: str | None) -> str:
    """Return what a server says of a value, as far as it is about a property; else all of it."""
    lines = [str(fault) for fault in faults if name and is_about(fault, name)]
    return "; ".join(dict.fromkeys(lines or map(str, faults)))


def is_about(fault: Fault, name: str | None) -> bool:
    """Return whether a fault is about a property."""
    path, about = fault.spot.path, fault.about
    named = about[:1] if isinstance(about, tuple) else ()
    return name in path[:1] or (not path and name in named)
