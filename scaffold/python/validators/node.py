"""A part of a schema where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.jsonschema.index import Index
from scaffold.jsonschema.subschema import Subschema
from scaffold.python.validators.graph import Graph
from scaffold.python.validators.vocabulary import ASSERTING

Scope = tuple[tuple[str, Subschema], ...]
"""The dynamic anchors that are reached, the outermost of each name."""


class Node(Struct, frozen=True):
    """A part of a schema where it is used; one that is `quiet` only has to decide."""

    graph: Graph
    part: Subschema
    scope: Scope = ()
    quiet: bool = False

    @property
    def schema(self) -> Mapping[str, Any]:
        """The keywords that count: beside `$ref`, draft-07 has no others."""
        if self.graph.index.is_only_reference(self.part):
            return {"$ref": self.part.keywords["$ref"]}
        return self.part.keywords

    @property
    def asserting(self) -> frozenset[str]:
        """The keywords that can refuse a value."""
        return ASSERTING[self.graph.index.dialect] & self.schema.keys()

    @property
    def is_draft_7(self) -> bool:
        return self.graph.index.dialect == "draft-07"

    @property
    def is_never(self) -> bool:
        """Whether it refuses every value, as `false` does."""
        return self.part.schema is False

    @property
    def is_open(self) -> bool:
        """Whether it refuses nothing."""
        return not self.is_never and not self.asserting

    @property
    def is_doubled(self) -> bool:
        """Whether it can be searched for the faults of one value in several ways."""
        return self.part.pointer in self.graph.doubled

    @property
    def is_explored(self) -> bool:
        """Whether faults are searched for inside of it."""
        return self.graph.is_explored(self.part)

    @property
    def is_endless(self) -> bool:
        """Whether it leads to a part that is recursive."""
        return self.part.pointer in self.graph.endless

    @property
    def is_recursive(self) -> bool:
        """Whether it can apply to values inside its own."""
        return self.part.pointer in self.graph.recursive

    def at(self, part: Subschema) -> Node:
        """Return another part, as it is used from here."""
        scope = self.scope
        if self.graph.is_dynamic:
            known = dict(scope)
            found = self.graph.anchors.get(part.base, {})
            scope += tuple(item for item in found.items() if item[0] not in known)
        return replace(self, part=part, scope=scope)

    def children(self) -> dict[str, list[Node]]:
        """Return the parts inside this one, by keyword."""
        found = self.graph.children(self.part)
        return {keyword: [self.at(part) for part in parts] for keyword, parts in found.items()}

    def loud(self) -> Node:
        """Return the same part, of which faults are told."""
        return replace(self, quiet=False)

    def hushed(self) -> Node:
        """Return the same part, which only has to decide."""
        return replace(self, quiet=True)

    def follow(self) -> Node | None:
        """Return what the `$ref` leads to, if faults are searched for there."""
        target = self.graph.follow(self.part)
        return self.at(target) if target else None


def root_of(index: Index) -> Node:
    """Return the whole schema as it is used from outside."""
    graph = Graph(index)
    return Node(graph, index.root).at(index.root)
