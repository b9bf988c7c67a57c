"""What a search for a pattern may cost Python, which tries one way after another.

The ways through the automaton of a pattern that read the same text are those that Python may try.
"""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.languages.python.patterns.ambiguity import Ambiguity
from scaffold.languages.python.patterns.automaton import Automaton, TooLargeError
from scaffold.languages.python.patterns.trimming import is_anchored
from scaffold.languages.python.patterns.ways import ways_of
from scaffold.schema.regular import characters
from scaffold.schema.regular.syntax import (
    Assertion,
    Characters,
    Choice,
    Group,
    Node,
    Repeated,
    Sequence,
)

_ANYTHING = Repeated(Characters("", characters.ALL), "*", 0, None)


def cost_of(tree: Node) -> tuple[int, int] | None:
    """Return the ways that a search tries, and the degree in which the length of the text counts.

    None if they are exponential, or if the pattern is too large to tell.
    """
    searched = tree if is_anchored(tree) else Sequence((_ANYTHING, tree))
    return _cost(searched)


def _cost(tree: Node) -> tuple[int, int] | None:
    found = _degree(tree)
    if found is None:
        return None
    ways, degree, added = ways_of(tree), found, 0
    for look, is_first in _looks(tree):
        inside = _cost(look.body)
        if inside is None:
            return None
        ways *= inside[0]
        if is_first:
            degree = max(degree, inside[1])
        else:
            added = max(added, inside[1])
    return ways, degree + added


def _looks(tree: Node) -> Iterator[tuple[Group, bool]]:
    """Yield the parts that look around, and whether each is looked at only once."""
    parts = tree.parts if isinstance(tree, Sequence) else (tree,)
    is_first = is_anchored(tree)
    for part in parts:
        if isinstance(part, Group) and part.looks:
            yield part, is_first
            continue
        is_first = is_first and isinstance(part, Assertion)
        match part:
            case Sequence() | Choice():
                for inner in part.parts:
                    yield from ((look, False) for look, _ in _looks(inner))
            case Group(body=body) | Repeated(body=body):
                yield from ((look, False) for look, _ in _looks(body))


def _degree(tree: Node) -> int | None:
    """Return the degree in which the length of a text counts; None if it is exponential."""
    automaton = Automaton()
    try:
        automaton.ends(tree)
        return Ambiguity(automaton).degree()
    except TooLargeError:
        return None
