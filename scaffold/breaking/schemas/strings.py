"""Search for a string that matches some patterns and not another, by their automata."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from msgspec import Struct, field

from scaffold.jsonschema.regular.characters import LAST, Ranges
from scaffold.jsonschema.regular.syntax import (
    Assertion,
    Characters,
    Choice,
    Group,
    Node,
    Repeated,
    UntranslatableError,
    parsed,
)
from scaffold.jsonschema.regular.syntax import (
    Sequence as Row,
)

_LARGEST = 2000
"""The maximum number of states of one automaton, and of sets of states that are visited."""
_FAVORITES = "aA0-_ b1."
_SURROGATES = (0xD800, 0xDFFF)

START, END = "^", r"\Z"


class UndecidedError(Exception):
    """The search is too large, or a pattern is not regular."""


class Automaton(Struct, frozen=True):
    """A nondeterministic automaton that reads a whole string.

    State 0 is the first, state 1 the last. `empty` are the moves that read nothing, each with the
    assertion that must hold, if any.
    """

    moves: dict[int, list[tuple[Ranges, int]]] = field(default_factory=dict)
    empty: dict[int, list[tuple[str | None, int]]] = field(default_factory=dict)

    def closed(self, states: frozenset[int], first: bool, last: bool) -> frozenset[int]:
        """Return all states that are reached without reading, at the ends of a string or not."""
        found = set(states)
        waiting = list(states)
        while waiting:
            for assertion, to in self.empty.get(waiting.pop(), ()):
                holds = assertion is None or (first if assertion == START else last)
                if holds and to not in found:
                    found.add(to)
                    waiting.append(to)
        return frozenset(found)

    def after(self, states: frozenset[int], code: int) -> frozenset[int]:
        """Return the states after a character."""
        return frozenset(
            to
            for state in states
            for ranges, to in self.moves.get(state, ())
            if any(low <= code <= high for low, high in ranges)
        )


@lru_cache(256)
def automaton(pattern: str, is_rough: bool = False) -> Automaton | None:
    """Return the automaton of the strings in which a pattern is found; None if there is none.

    A rough one ignores look-around, so that it may read other strings too.
    """
    try:
        tree = parsed(pattern)
        return _Builder(is_rough).built(tree)
    except (UntranslatableError, UndecidedError, RecursionError):
        return None


class _Builder:
    def __init__(self, is_rough: bool) -> None:
        self.is_rough = is_rough
        self.made = Automaton()
        self.count = 2

    def built(self, tree: Node) -> Automaton:
        start, end = self._state(), self._state()
        anything: Ranges = ((0, LAST),)
        self.made.moves[0] = [(anything, 0)]
        self.made.moves[1] = [(anything, 1)]
        self._empty(0, start)
        self._add(tree, start, end)
        self._empty(end, 1)
        return self.made

    def _state(self) -> int:
        self.count += 1
        if self.count > _LARGEST:
            raise UndecidedError
        return self.count - 1

    def _empty(self, before: int, after: int, assertion: str | None = None) -> None:
        self.made.empty.setdefault(before, []).append((assertion, after))

    def _add(self, node: Node, before: int, after: int) -> None:
        match node:
            case Characters(ranges=ranges):
                self.made.moves.setdefault(before, []).append((ranges, after))
            case Assertion(source=source) if source in (START, END):
                self._empty(before, after, source)
            case Row(parts=parts):
                for part in parts:
                    middle = self._state()
                    self._add(part, before, middle)
                    before = middle
                self._empty(before, after)
            case Choice(parts=parts):
                for part in parts:
                    self._add(part, before, after)
            case Group(looks=False, body=body):
                middle = self._state()
                self._add(body, before, middle)
                self._empty(middle, after)
            case Group() if self.is_rough:
                self._empty(before, after)
            case Repeated(body=body, least=least, most=most):
                self._repeat(body, least, most, before, after)
            case _:
                raise UndecidedError

    def _repeat(self, body: Node, least: int, most: int | None, before: int, after: int) -> None:
        for _ in range(least):
            middle = self._state()
            self._add(body, before, middle)
            before = middle
        if most is None:
            turn, back = self._state(), self._state()
            self._empty(before, turn)
            self._add(body, turn, back)
            self._empty(back, turn)
            self._empty(turn, after)
            return
        for _ in range(most - least):
            middle = self._state()
            self._add(body, before, middle)
            self._empty(before, after)
            before = middle
        self._empty(before, after)


@lru_cache(256)
def shortest(pattern: str) -> str | None:
    """Return a shortest string in which a pattern is found, but for its look-around, or None."""
    if (one := automaton(pattern, is_rough=True)) is None:
        return None
    waiting = deque([(0, "")])
    seen = {0}
    while waiting:
        state, text = waiting.popleft()
        here = frozenset([state])
        if 1 in one.closed(here, not text, True):
            return text
        for inner in sorted(one.closed(here, not text, False)):
            for ranges, to in one.moves.get(inner, ()):
                if to not in seen and ranges:
                    seen.add(to)
                    waiting.append((to, text + _sign(ranges)))
    return None


def _sign(ranges: Ranges) -> str:
    """Return a character of some ranges, a plain one if there is one."""
    for sign in _FAVORITES:
        if any(low <= ord(sign) <= high for low, high in ranges):
            return sign
    low, high = ranges[0]
    return _printable(low, high + 1)


def find_strings(
    matching: Sequence[str], refused: str | None, least: int = 0, most: int | None = None
) -> Iterator[str]:
    """Yield strings of `least` to `most` characters that match all patterns, the shortest first.

    They do not match `refused`. Raises UndecidedError if it is not found out whether there is one.
    """
    found = [automaton(pattern) for pattern in matching]
    if refused is not None:
        found.append(automaton(refused))
    automata = [one for one in found if one is not None]
    if len(automata) < len(found):
        raise UndecidedError
    signs = _signs(automata)
    start = tuple(frozenset([0]) for _ in automata)
    waiting = deque([(start, "")])
    seen = {(start, 0)}  # a longer string that leads to the same states is no better
    while waiting:
        states, text = waiting.popleft()
        if len(text) >= least and _is_found(automata, states, text, refused is not None):
            yield text
        if most is not None and len(text) >= most:
            continue
        before = [a.closed(s, not text, False) for a, s in zip(automata, states, strict=True)]
        for sign in signs:
            pairs = zip(automata, before, strict=True)
            following = tuple(a.after(s, ord(sign)) for a, s in pairs)
            counted = min(len(text) + 1, max(least, 1))
            must = following[:-1] if refused is not None else following
            if not all(must) or (following, counted) in seen:
                continue
            if len(seen) > _LARGEST:
                raise UndecidedError
            seen.add((following, counted))
            waiting.append((following, text + sign))


def _is_found(
    automata: Sequence[Automaton], states: Sequence[frozenset[int]], text: str, refused: bool
) -> bool:
    """Return whether a string that ends here is accepted by all but the last, if that refuses."""
    pairs = zip(automata, states, strict=True)
    ends = [1 in one.closed(state, not text, True) for one, state in pairs]
    return all(ends[:-1]) and not ends[-1] if refused else all(ends)


def _signs(automata: Sequence[Automaton]) -> list[str]:
    """Return one character for each set of characters that all automata treat alike."""
    every = {ranges for one in automata for ranges, _ in chain.from_iterable(one.moves.values())}
    bounds = {0, LAST + 1}
    for ranges in every:
        for low, high in ranges:
            bounds |= {low, high + 1}
    ordered = sorted(bounds | {_SURROGATES[0], _SURROGATES[1] + 1})
    if len(ordered) > _LARGEST:
        raise UndecidedError
    found: dict[tuple[bool, ...], str] = {}
    listed = sorted(every)
    for low, after in pairwise(ordered):
        if low > LAST or _SURROGATES[0] <= low <= _SURROGATES[1]:
            continue
        kind = tuple(any(a <= low <= b for a, b in ranges) for ranges in listed)
        nice = (sign for sign in _FAVORITES if low <= ord(sign) < after)
        sign = next(nice, None) or _printable(low, after)
        if kind not in found or _rank(sign) < _rank(found[kind]):
            found[kind] = sign
    return sorted(found.values(), key=_rank)


def _printable(low: int, after: int) -> str:
    return next(
        (chr(c) for c in range(low, min(after, low + 64)) if chr(c).isprintable()), chr(low)
    )


def _rank(sign: str) -> tuple[int, str]:
    place = _FAVORITES.find(sign)
    return (place if place >= 0 else 10 + (not sign.isprintable()), sign)
