"""Where statements are written: in which function, for which schema, about which value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from scaffold.python.names import unused, words
from scaffold.python.reserved import BUILTINS, KEYWORDS
from scaffold.python.validators import phrases
from scaffold.python.validators.conditions import Condition
from scaffold.python.validators.decisions import decided
from scaffold.python.validators.module import Module
from scaffold.python.validators.node import Node
from scaffold.python.validators.separate import DEEPEST, is_large, is_separate, resolved
from scaffold.python.validators.statements import Lines, mentions, spot, under
from scaffold.python.validators.vocabulary import HELPERS

_PREFIXES = ("check_", "is_", "evaluated_")


@dataclass(slots=True)
class Function:
    """A function that is being written: its node, and the names of its variables.

    `find` returns the statements of a place: schemas hold schemas, and each kind of keyword comes
    to those inside it by this alone.
    """

    module: Module
    node: Node
    name: str
    find: Callable[[Place], Lines]
    has_words: bool = True
    names: set[str] = field(default_factory=lambda: {"value", "at", "re"})

    def variable(self, name: str) -> str:
        """Return a name for a new variable."""
        made = "_".join(words(name)).lower()[:40] or "item"
        made = f"item_{made}" if made[0].isdigit() else made
        if made in KEYWORDS or made in BUILTINS or made in HELPERS or made.startswith(_PREFIXES):
            made += "_"
        made = unused(made, self.names)
        self.names.add(made)
        return made


class Place(Struct, frozen=True):
    """A schema and the value that has to fit it.

    `value` is the expression of the value, `path` those of the keys that lead to it, `level` how
    deep the statements are nested. `typed` says that the value is known to have the schema's type.
    """

    function: Function
    node: Node
    value: str = "value"
    path: tuple[str, ...] = ()
    level: int = 0
    typed: bool = False

    @property
    def module(self) -> Module:
        return self.function.module

    def at(self, node: Node) -> Place:
        """Return the place of another schema for the same value."""
        return replace(self, node=node, typed=False)

    def decided(self, node: Node, value: str | None = None) -> Condition:
        """Return whether a value, or that of this place, fits a schema."""
        return decided(self.module, node, value or self.value)

    def fault(self, said: str) -> Lines:
        """Return the statements for a fault, which is told as the expression `said`."""
        if self.node.quiet:
            return ["return False"]
        if "shown(" in said:
            self.module.uses.add("shown")
        return [f"yield {spot(self.path)}, {said}"]

    def unclear(self) -> Lines:
        """Return the statements for a fault that has no words of its own."""
        if self.node.quiet:
            return ["return False"]
        if self.function.node == self.node and not self.function.has_words:
            return ["yield None"]
        return [f"yield {spot(self.path)}, {phrases.must_fit(self.node.part.keywords)}"]

    def call(self) -> Lines:
        """Return the statements that let another function find the faults."""
        node = resolved(self.node)
        if node.quiet:
            return under(self.decided(node).false, ["return False"])
        return [f"yield from {self.module.check_of(node)}({self.value}, {spot(self.path)})"]

    def same(self, node: Node) -> Lines:
        """Return the statements of another schema for the same value."""
        there = self.at(resolved(node))
        if is_separate(there.node) or self.level > DEEPEST:
            return there.call()
        return self.function.find(replace(there, level=self.level + 1))

    def inside(self, node: Node, key: str, value: str, name: str = "") -> Lines:
        """Return the statements of the schema of a part of the value, which has a key.

        `name` is for a variable of the part; without one, `value` is the variable of a loop.
        """
        node = resolved(node)
        if node.is_open:
            return []
        level = self.level if name else self.level + 1
        there = Place(self.function, node, value, (*self.path, key), level)
        if is_separate(node) or level > DEEPEST or is_large(node):
            return there.call()
        if node.is_never or not name:
            return self.function.find(there)
        variable = self.function.variable(name)
        lines = self.function.find(replace(there, value=variable))
        return [f"{variable} = {value}", *lines] if mentions(lines, variable) else lines
