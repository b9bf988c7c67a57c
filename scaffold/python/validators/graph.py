"""What leads where in a schema: which parts are recursive, shared, or reached twice for one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import HOLDERS
from scaffold.jsonschema.subschema import Subschema, UnresolvedError
from scaffold.yaml.document import tokens

_OTHERS = frozenset({"$defs", "definitions", "contentSchema"})
"""Keywords whose schemas no value has to fit."""

_IN_PLACE = ("allOf", "then", "else", "dependentSchemas", "anyOf", "oneOf")
_IN_OBJECTS = ("properties", "additionalProperties")
_IN_ARRAYS = ("prefixItems", "items", "additionalItems")


class Graph:
    """The parts of a schema and the ways between them, without those of dynamic references.

    `recursive` are the pointers of parts that can apply to a value inside their own, `endless`
    those that lead to such a part. `targets` are those of references, `shared` those of several.
    `doubled` are targets that can be searched for the faults of one value in several ways.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self.anchors: dict[str, dict[str, Subschema]] = {}
        self.is_dynamic = False
        sites: Counter[str] = Counter()
        for part in index.all.values():
            self.is_dynamic |= "$dynamicRef" in part.keywords
            if isinstance(name := part.keywords.get("$dynamicAnchor"), str):
                self.anchors.setdefault(part.base, {})[name] = part
            sites.update(target.pointer for target in self._targets(part))
        self.targets = frozenset(sites)
        self.shared = frozenset(pointer for pointer, count in sites.items() if count > 1)
        self.recursive: frozenset[str] = frozenset()
        self.endless: frozenset[str] = frozenset()
        self.doubled: frozenset[str] = frozenset()
        if any(index.references(part) for part in index.all.values()):
            self._find_circles()
            self._find_doubled(sites)

    def children(self, part: Subschema) -> dict[str, list[Subschema]]:
        """Return the schemas inside a part that a value may have to fit, by keyword."""
        if self.index.is_only_reference(part) or not part.keywords:
            return {}
        found: dict[str, list[Subschema]] = {}
        for child in self.index.children(part, *HOLDERS[self.index.dialect]):
            if child.keyword not in _OTHERS:
                found.setdefault(child.keyword, []).append(child)
        if "if" not in found:
            found.pop("then", None)
            found.pop("else", None)
        if not isinstance(part.keywords.get("items"), list):
            found.pop("additionalItems", None)
        return found

    def follow(self, part: Subschema) -> Subschema | None:
        """Return the target of a `$ref` that is a plain pointer, in which faults are searched for."""
        reference = part.keywords.get("$ref")
        target = self.index.references(part).get("$ref")
        if not isinstance(reference, str) or not isinstance(target, Subschema):
            return None
        if part.base != self.index.root.base or not (reference == "#" or reference[:2] == "#/"):
            return None
        at = ""
        for token in tokens(target.pointer):
            at += "/" + token.replace("~", "~0").replace("/", "~1")
            if at in self.index.all and "$id" in self.index.all[at].keywords:
                return None
        return target

    def is_explored(self, part: Subschema) -> bool:
        """Return whether faults are searched for inside of a part."""
        return not (part.pointer and "$id" in part.keywords)

    def _targets(self, part: Subschema) -> Iterator[Subschema]:
        for keyword, target in self.index.references(part).items():
            if isinstance(target, Subschema):
                yield target
                if keyword == "$dynamicRef":
                    name = str(target.keywords.get("$dynamicAnchor"))
                    yield from (names[name] for names in self.anchors.values() if name in names)

    def _onward(self, part: Subschema) -> list[str]:
        inside = chain.from_iterable(self.children(part).values())
        return [to.pointer for to in (*inside, *self._targets(part))]

    def _is_remote(self, pointer: str) -> bool:
        """Return whether a part refers to the schema of a dialect, which is recursive."""
        references = self.index.references(self.index.all[pointer])
        return any(isinstance(target, UnresolvedError) for target in references.values())

    def _find_circles(self) -> None:
        onward = {pointer: self._onward(part) for pointer, part in self.index.all.items()}
        recursive: set[str] = set()
        endless: set[str] = set()
        for circle in circles(onward):
            if len(circle) > 1 or circle[0] in onward[circle[0]]:
                recursive.update(circle)
                endless.update(circle)
            elif self._is_remote(circle[0]) or any(to in endless for to in onward[circle[0]]):
                endless.update(circle)
        self.recursive, self.endless = frozenset(recursive), frozenset(endless)

    def _find_doubled(self, targets: Counter[str]) -> None:
        bits = {pointer: 1 << number for number, pointer in enumerate(targets)}
        branches = {pointer: [*self._branches(part)] for pointer, part in self.index.all.items()}
        onward = {pointer: [*chain.from_iterable(ways)] for pointer, ways in branches.items()}
        reached: dict[str, int] = {}
        for circle in circles(onward):
            mask = 0
            for pointer in circle:
                mask |= bits.get(pointer, 0)
                for to in onward[pointer]:
                    mask |= reached.get(to, 0)
            reached |= dict.fromkeys(circle, mask)
        doubled = 0
        for ways in branches.values():
            before = 0
            for way in ways:
                here = 0
                for to in way:
                    here |= reached[to]
                doubled |= before & here
                before |= here
        self.doubled = frozenset(pointer for pointer, bit in bits.items() if bit & doubled)

    def _branches(self, part: Subschema) -> Iterator[Sequence[str]]:
        """Yield what is searched for the same values, a list for each way to get there."""
        if not self.is_explored(part):
            return
        if target := self.follow(part):
            yield [target.pointer]
        inside = self.children(part)
        for keyword in (*_IN_PLACE, "patternProperties"):
            for child in inside.get(keyword, ()):
                yield [child.pointer]
        if self.index.dialect == "draft-07":
            for child in inside.get("dependencies", ()):
                yield [child.pointer]
        for keywords in (_IN_OBJECTS, _IN_ARRAYS):
            yield [child.pointer for keyword in keywords for child in inside.get(keyword, ())]


def circles(onward: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components of a graph, after all that they lead to.

    This is Tarjan's algorithm, without recursion.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    for start in onward:
        path = [] if start in number else [(start, iter(onward[start]))]
        if path:
            number[start] = lowest[start] = len(number)
            stack.append(start)
            waiting.add(start)
        while path:
            here, ways = path[-1]
            for to in ways:
                if to not in number:
                    number[to] = lowest[to] = len(number)
                    stack.append(to)
                    waiting.add(to)
                    path.append((to, iter(onward[to])))
                    break
                if to in waiting:
                    lowest[here] = min(lowest[here], number[to])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[here])
                if lowest[here] == number[here]:
                    circle = stack[_last(stack, here) :]
                    del stack[-len(circle) :]
                    waiting.difference_update(circle)
                    yield circle


def _last(stack: Sequence[str], item: str) -> int:
    return next(at for at in range(len(stack) - 1, -1, -1) if stack[at] == item)
