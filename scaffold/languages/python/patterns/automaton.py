"""A pattern as an automaton whose states are its characters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from scaffold.languages.python.patterns.ways import rolled_out
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

_MOST_STATES = 5000


@dataclass
class _Ends:
    """The states that a part begins and ends with, each in how many ways; and if it is empty."""

    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)
    empty: int = 1


class TooLargeError(Exception):
    """The pattern is too large to tell what it costs."""


class Automaton:
    """The states of a pattern, what each reads, and in how many ways one follows another."""

    def __init__(self) -> None:
        self.reads: list[Ranges] = []
        self.follow: dict[int, Counter[int]] = defaultdict(Counter)

    def ends(self, tree: Node) -> _Ends:
        """Add the states of a part, and return those at its ends. Raises TooLargeError."""
        match tree:
            case Characters(_, ranges):
                return self._state(ranges)
            case Reference():
                return self._loop(self._state(characters.ALL), 0)
            case Sequence(parts):
                return self._sequence(parts)
            case Choice(parts):
                found = [self.ends(part) for part in parts]
                return _Ends(
                    sum((one.first for one in found), Counter[int]()),
                    sum((one.last for one in found), Counter[int]()),
                    sum(one.empty for one in found),
                )
            case Group(body=body) if not tree.looks:
                return self.ends(body)
            case Repeated(body, _, least, most):
                return self._repeated(tree, body, least, most)
        return _Ends()

    def _repeated(self, tree: Repeated, body: Node, least: int, most: int | None) -> _Ends:
        if most == 0:
            return _Ends()
        if most == 1:
            one = self.ends(body)
            return _Ends(one.first, one.last, one.empty + 1 - least)
        if most and rolled_out(tree):
            optional = Repeated(body, "?", 0, 1)
            return self._sequence([body] * least + [optional] * (most - least))
        return self._loop(self.ends(body), least)

    def _state(self, ranges: Ranges) -> _Ends:
        state = len(self.reads)
        if state == _MOST_STATES:
            raise TooLargeError
        self.reads.append(ranges)
        return _Ends(Counter([state]), Counter([state]), 0)

    def _sequence(self, parts: Iterable[Node]) -> _Ends:
        whole = _Ends()
        for part in parts:
            after = self.ends(part)
            self._join(whole.last, after.first)
            whole = _Ends(
                whole.first + _times(after.first, whole.empty),
                after.last + _times(whole.last, after.empty),
                min(whole.empty * after.empty, 2),
            )
        return whole

    def _loop(self, body: _Ends, least: int) -> _Ends:
        again = body.empty and least > 1
        self._join(body.last, _times(body.first, 2 if again else 1))
        out = _times(body.last, 1 + body.empty)
        return _Ends(body.first, out, min(body.empty + (least == 0), 2))

    def _join(self, last: Counter[int], first: Counter[int]) -> None:
        for one, ways in last.items():
            for other, more in first.items():
                self.follow[one][other] = min(self.follow[one][other] + ways * more, 2)


def _times(states: Counter[int], ways: int) -> Counter[int]:
    return Counter({state: min(count * ways, 2) for state, count in states.items() if ways})
