"""The module of checks that is being written: its functions, their names, and what they call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from scaffold.python.names import unused
from scaffold.python.validators import conditions
from scaffold.python.validators.conditions import Condition
from scaffold.python.validators.labels import label_of
from scaffold.python.validators.node import Node


class Wanted(Struct, frozen=True):
    """A function that is called and has yet to be written.

    A `check` yields the faults of a value, an `is` decides whether it fits; `properties` and
    `items` find which of these keywords evaluate.
    """

    kind: str
    node: Node
    name: str


class Module:
    """What is written so far.

    `functions` are the sources. `uses` are the helpers that they call, `formats` the functions of
    `formats.py`. `waiting` is what comes next: functions, and tables as they are. `base` is a part
    of all names.
    """

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.uses: set[str] = set()
        self.formats: set[str] = set()
        self.waiting: list[Wanted | str] = []
        self.base = ""
        self._names: dict[tuple[str, Node], str] = {}
        self._taken: set[str] = set()

    def check_of(self, node: Node) -> str:
        """Return the name of the function that yields the faults of a value."""
        return self._function("check", "check", node.loud())

    def test_of(self, node: Node) -> str:
        """Return the name of the function that decides whether a value fits."""
        return self._function("is", "is", node.hushed())

    def evaluated_of(self, node: Node, kind: str) -> str:
        """Return the name of the function that finds what other keywords evaluate."""
        return self._function(kind, "evaluated", node.hushed())

    def _function(self, kind: str, prefix: str, node: Node) -> str:
        key = kind, node
        if key not in self._names:
            words = (prefix, self.base, label_of(node.part))
            name = self._names[key] = self.name("_".join(part for part in words if part))
            self.waiting.append(Wanted(kind, node, name))
        return self._names[key]

    def name(self, wanted: str) -> str:
        """Return a name for something new."""
        made = unused(wanted, self._taken)
        self._taken.add(made)
        return made

    def of_type(self, value: str, types: Iterable[str]) -> Condition:
        """Return the condition that a value has one of these JSON types."""
        found = conditions.of_type(value, types)
        self.uses |= {name for name in ("is_number", "is_integer") if f"{name}(" in found.true}
        return found

    def among(self, value: str, allowed: Sequence[Any]) -> Condition:
        """Return the condition that a value equals one of these."""
        found = conditions.among(value, allowed)
        if {type(one) for one in allowed} <= {int, float}:
            self.uses.add("is_number")
        helpers = ("is_same", "is_one_of")
        self.uses |= {name for name in helpers if found.true.startswith(f"{name}(")}
        return found
