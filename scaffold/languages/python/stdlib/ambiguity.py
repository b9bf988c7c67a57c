"""Estimate how many ways a backtracking engine can match the same text.

A pattern is read as an automaton whose states are its characters. Two rounds of a loop that read
the same text make the ways exponential. Two loops after another that read the same text, as the way
between them does, make them polynomial (Weber and Seidl, On the degree of ambiguity of finite
automata). Patterns that are too large to analyze count as exponential.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from math import prod

from msgspec import Struct

from scaffold.schema.regular import characters
from scaffold.schema.regular.characters import Ranges
from scaffold.schema.regular.syntax import (
    Characters,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)

_MAX_STEPS = 100_000
"""The maximum work of analyzing a pattern."""
_MAX_ROUNDS = 200
_FEW_WAYS = 250
"""A counted loop is written out if that is not too long, and has no more ways than these."""


class CostlyError(Exception):
    """The number of ways is exponential in the length of the text, or too large to count."""


@cache  # or each loop in a loop would double the time
def ways_of(tree: Node) -> int:
    """Return in how many ways a text can be read, apart from the number of rounds in loops."""
    match tree:
        case Sequence(parts):
            return prod(map(ways_of, parts))
        case Choice(parts):
            return (max if _are_told_apart(parts) else sum)(map(ways_of, parts))
        case Group(body=body):
            return 1 if tree.looks else ways_of(body)
        case Repeated(body, _, least, 0 | 1 as most):
            return ways_of(body) * most + 1 - least
        case Repeated(body, _, least):
            return prod([ways_of(body)] * (least if _is_written_out(tree) else 1))
    return 1


def _are_told_apart(parts: Iterable[Node]) -> bool:
    """Return whether the first character decides which of some parts is read."""
    firsts = [_first(part) for part in parts]
    together = characters.joined(sum(firsts, ()))
    return all(firsts) and _size(together) == sum(map(_size, firsts))


def _size(ranges: Ranges) -> int:
    return sum(high + 1 - low for low, high in ranges)


def _first(tree: Node) -> Ranges:
    """Return the characters that a part can begin with; none if it is not known."""
    match tree:
        case Characters(ranges):
            return ranges
        case Sequence(parts) if parts:
            return _first(parts[0])
        case Group(body=body) if not tree.looks:
            return _first(body)
        case Repeated(body, _, least) if least:
            return _first(body)
    return ()


def _is_written_out(tree: Repeated) -> bool:
    """Return whether a loop of a fixed number of rounds is read as a sequence."""
    rounds = tree.least
    is_short = rounds == tree.most and rounds <= _MAX_ROUNDS
    return is_short and ways_of(tree.body) ** rounds <= _FEW_WAYS


class _Ends(Struct, frozen=True):
    """The states that a part begins and ends with, and in how many ways it is empty.

    More than two ways count as two.
    """

    first: Counter[int]
    last: Counter[int]
    empty: int


_NOTHING = _Ends(Counter(), Counter(), 1)


class Automaton:
    """The states of a pattern: what each reads, which follow it in how many ways, and its loop."""

    def __init__(self, tree: Node) -> None:
        self._steps = 0
        self._reads: list[Ranges] = []
        self._follow: dict[int, Counter[int]] = defaultdict(Counter)
        self._loops: list[list[int]] = []
        self._is_in_loop = False
        self._ends(tree)
        self._masks = _masks(self._reads)

    def degree(self) -> int:
        """Return the power of the length of a text in which it can be read."""
        longest: list[int] = []
        for number, loop in enumerate(self._loops):
            if self._is_exponential(loop):
                raise CostlyError
            before = zip(longest, self._loops[:number], strict=True)
            chained = [length for length, other in before if self._meet(other, loop)]
            longest.append(1 + max(chained, default=0))
        return max(longest, default=0)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise CostlyError

    def _is_exponential(self, loop: list[int]) -> bool:
        """Return whether two ways around a loop read the same text: they part, and meet again."""
        inside = {first: self._follow[first].keys() & {*loop} for first in loop}
        if any(self._follow[first][second] > 1 for first in loop for second in inside[first]):
            return True
        waiting = [pair for first in loop for pair in self._pairs(inside[first], inside[first])]
        waiting = [(first, second) for first, second in waiting if first != second]
        seen: set[tuple[int, int]] = set()
        while waiting:
            pair = waiting.pop()
            if pair[0] == pair[1]:
                return True
            if pair not in seen:
                seen.add(pair)
                waiting += self._pairs(inside[pair[0]], inside[pair[1]])
        return False

    def _pairs(self, some: Iterable[int], others: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of states that read the same character."""
        for first in some:
            for second in others:
                self._step()
                if self._masks[first] & self._masks[second]:
                    yield first, second

    def _meet(self, first: list[int], second: list[int]) -> bool:
        """Return whether the way from a loop to a later one may read what both of them read."""
        both = self._read_in(first) & self._read_in(second)
        seen, waiting = {*first}, [*first]
        while waiting:
            for state in self._follow[waiting.pop()]:
                self._step()
                if state not in seen and self._masks[state] & both:
                    seen.add(state)
                    waiting.append(state)
        return not seen.isdisjoint(second)

    def _read_in(self, loop: list[int]) -> int:
        read = 0
        for state in loop:
            read |= self._masks[state]
        return read

    def _ends(self, tree: Node) -> _Ends:
        """Add the states of a part, and return those at its ends."""
        self._step()
        match tree:
            case Characters(ranges):
                return self._state(ranges)
            case Reference():
                return self._loop(Characters(characters.ALL), 0)
            case Sequence(parts):
                return self._sequence(parts)
            case Choice(parts):
                ends_of_parts = [self._ends(part) for part in parts]
                first = sum((ends.first for ends in ends_of_parts), Counter[int]())
                last = sum((ends.last for ends in ends_of_parts), Counter[int]())
                return _Ends(first, last, min(sum(ends.empty for ends in ends_of_parts), 2))
            case Group(body=body) if not tree.looks:
                return self._ends(body)
            case Repeated(most=0):
                return _NOTHING
            case Repeated(body, _, least, 1):
                ends = self._ends(body)
                return _Ends(ends.first, ends.last, min(ends.empty + 1 - least, 2))
            case Repeated(body, _, least):
                if _is_written_out(tree):
                    return self._sequence([body] * least)
                return self._loop(body, least)
        return _NOTHING

    def _state(self, ranges: Ranges) -> _Ends:
        state = len(self._reads)
        self._reads.append(ranges)
        if self._is_in_loop:
            self._loops[-1].append(state)
        return _Ends(Counter([state]), Counter([state]), 0)

    def _sequence(self, parts: Iterable[Node]) -> _Ends:
        whole = _NOTHING
        for part in parts:
            after = self._ends(part)
            self._join(whole.last, after.first)
            whole = _Ends(
                whole.first + _times(after.first, whole.empty),
                after.last + _times(whole.last, after.empty),
                min(whole.empty * after.empty, 2),
            )
        return whole

    def _loop(self, body: Node, least: int) -> _Ends:
        """Add the states of a loop; those of the loops in it are its own."""
        is_outermost = not self._is_in_loop
        if is_outermost:
            self._is_in_loop = True
            self._loops.append([])
        ends = self._ends(body)
        self._is_in_loop = not is_outermost
        if ends.empty and ends.first:  # a round that reads nothing is one more way
            raise CostlyError
        self._join(ends.last, ends.first)
        return _Ends(ends.first, ends.last, int(least == 0 or ends.empty > 0))

    def _join(self, last: Counter[int], first: Counter[int]) -> None:
        for end, ways in last.items():
            for start, more in first.items():
                self._step()
                self._follow[end][start] = min(self._follow[end][start] + ways * more, 2)


def _times(states: Counter[int], ways: int) -> Counter[int]:
    return Counter({state: min(count * ways, 2) for state, count in states.items() if ways})


def _masks(reads: list[Ranges]) -> list[int]:
    """Return for each set of characters which parts of all characters it has, as bits."""
    bounds = sorted({bound for each in reads for low, high in each for bound in (low, high + 1)})
    places = {bound: place for place, bound in enumerate(bounds)}
    masks = []
    for each in reads:
        mask = 0
        for low, high in each:
            mask |= (1 << places[high + 1]) - (1 << places[low])
        masks.append(mask)
    return masks
