"""Translate ECMA-262 patterns to patterns of Python's `re` that are fast to search."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from msgspec import Struct

from scaffold.languages.python.stdlib.ambiguity import Automaton, CostlyError, ways_of
from scaffold.languages.python.types.expressions import quoted
from scaffold.schema.regular import characters
from scaffold.schema.regular.reading import PatternError, parsed
from scaffold.schema.regular.syntax import (
    Assertion,
    Characters,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)

_STEPS = 20_000_000
"""The maximum steps of a search, a fraction of a second."""
_FEW = 1000
"""The maximum steps per character for texts of any length."""
_SHORTEST = 100
"""The length of text that a pattern must at least be able to search."""

_ANYTHING = Repeated(Characters(characters.ALL), "*", 0, None)


class Pattern(Struct, frozen=True):
    """A pattern of Python's `re`.

    It finds the same texts as the one that it was translated from, up to the length of `limit`;
    None if all are searched.
    """

    source: str
    limit: int | None

    @property
    def written(self) -> str:
        """The source as a string of Python."""
        is_raw = "\\" in self.source and '"' not in self.source
        return f'r"{self.source}"' if is_raw else quoted(self.source)


@cache
def translated(pattern: str) -> Pattern:
    """Translate a pattern of ECMA-262.

    Raises PatternError if Python has none like it, or if it could take minutes for short texts.
    """
    tree = parsed(pattern)
    limit = _limit(tree)
    if limit is not None:
        tree = _without_needless(tree)
        limit = _limit(tree)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(tree.source)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        if "look-behind" in str(error):
            message = "a lookbehind of variable length is not known to Python"
            raise PatternError(message, "write a lookbehind for each length") from None
        message = f"Python does not know it: {error}"
        raise PatternError(message, "write it more simply") from None
    if limit is not None and limit < _SHORTEST:
        message = "a search for it can take Python minutes"
        hint = "avoid repeated groups that can match the same text in several ways, as `(a+)+` can"
        raise PatternError(message, hint)
    return Pattern(tree.source, limit)


def _limit(tree: Node) -> int | None:
    """Return the length of the longest text that can be searched; None if any text can."""
    try:
        ways, degree = _cost(tree if _is_anchored(tree) else Sequence((_ANYTHING, tree)))
    except CostlyError:  # exponential, or too large to analyze
        return 0
    if ways <= _FEW and degree <= 1:
        return None
    return int((_STEPS / ways) ** (1 / max(degree, 1))) // 50 * 50


def _without_needless(tree: Node) -> Node:
    """Return a pattern that is found in the same texts, without rounds that decide nothing.

    A loop at the end need not go on, and one at the start of a search need not have begun earlier.
    """
    if _refers(tree):
        return tree
    tree = _trimmed(tree, -1)
    return tree if _is_anchored(tree) else _trimmed(tree, 0)


def _trimmed(tree: Node, end: int) -> Node:
    match tree:
        case Sequence(parts) if parts:
            changed = [*parts]
            changed[end] = _trimmed(parts[end], end)
            return Sequence(tuple(changed))
        case Choice(parts):
            return Choice(tuple(_trimmed(part, end) for part in parts))
        case Group(opening, body) if not tree.looks:
            return Group(opening, _trimmed(body, end))
        case Repeated(body, _, least):
            if least == 0:
                return Sequence(())
            if least == 1:
                return _trimmed(body, end)
            return Repeated(body, f"{{{least}}}", least, least)
    return tree


def _is_anchored(tree: Node) -> bool:
    """Return whether a pattern is only found at the start of the text."""
    match tree:
        case Assertion(source):
            return source == "^"
        case Sequence(parts) if parts:
            return _is_anchored(parts[0])
        case Choice(parts):
            return all(map(_is_anchored, parts))
        case Group(body=body) if not tree.looks:
            return _is_anchored(body)
    return False


def _refers(tree: Node) -> bool:
    looks = (node for node in _nodes(tree) if isinstance(node, Group) and node.looks)
    return any(isinstance(node, Reference) for node in _nodes(tree)) or any(
        _refers(node.body) for node in looks
    )


def _nodes(tree: Node) -> Iterator[Node]:
    """Yield a pattern and all its parts, except what is in a look around."""
    yield tree
    match tree:
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from _nodes(part)
        case Repeated(body=body):
            yield from _nodes(body)
        case Group(body=body) if not tree.looks:
            yield from _nodes(body)


def _cost(tree: Node) -> tuple[int, int]:
    """Return the cost of a search, and of all that looks around in it."""
    ways, degree, added = ways_of(tree), Automaton(tree).degree(), 0
    parts = tree.parts if isinstance(tree, Sequence) else (tree,)
    once = {id(part) for part in takewhile(_reads_nothing, parts)} if _is_anchored(tree) else set()
    for node in _nodes(tree):
        if isinstance(node, Group) and node.looks:
            inner_ways, inner_degree = _cost(node.body)
            ways *= inner_ways
            if id(node) in once:
                degree = max(degree, inner_degree)
            else:
                added = max(added, inner_degree)
    return ways, degree + added


def _reads_nothing(part: Node) -> bool:
    return isinstance(part, Assertion) or (isinstance(part, Group) and part.looks)
