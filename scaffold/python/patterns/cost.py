"""What a search for a pattern may cost Python, which tries one way after another.

A pattern is made an automaton whose states are its characters. The ways through it that read the
same text are the ways that Python may try. Two rounds through a loop that read the same text make
them exponential in the length of the text; two loops, one after the other, which read the same
text as the way between them, make them polynomial (Weber and Seidl, On the degree of ambiguity of
finite automata).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod

from scaffold.jsonschema.regular import characters
from scaffold.jsonschema.regular.characters import Ranges
from scaffold.jsonschema.regular.syntax import (
    Assertion,
    Characters,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)

_MOST_STATES = 5000
_MOST_STEPS = 1_000_000
_MOST_ROLLED_OUT = 200
_FEW_WAYS = 200
_ANYTHING = Repeated(Characters("", characters.ALL), "*", 0, None)


def cost(tree: Node) -> tuple[int, int] | None:
    """Return the ways that a search tries, and the degree in which the length of the text counts.

    None if they are exponential, or if the pattern is too large to tell.
    """
    searched = tree if is_anchored(tree) else Sequence((_ANYTHING, tree))
    return _cost(searched)


def trimmed(tree: Node) -> Node:
    """Return a pattern that is found in the same texts, without rounds that decide nothing.

    A loop at the end need not go on, and one at the start of a search need not have begun earlier.
    """
    if _refers(tree):
        return tree
    tree = _trimmed(tree, -1)
    return tree if is_anchored(tree) else _trimmed(tree, 0)


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


def _refers(tree: Node) -> bool:
    match tree:
        case Sequence(parts) | Choice(parts):
            return any(map(_refers, parts))
        case Group(body=body) | Repeated(body=body):
            return _refers(body)
    return isinstance(tree, Reference)


def is_anchored(tree: Node) -> bool:
    """Return whether a pattern is only found at the start of the text."""
    match tree:
        case Assertion(source):
            return source == "^"
        case Sequence(parts) if parts:
            return is_anchored(parts[0])
        case Choice(parts):
            return all(map(is_anchored, parts))
        case Group(body=body) if not tree.looks:
            return is_anchored(body)
    return False


def _cost(tree: Node) -> tuple[int, int] | None:
    found = _degree(tree)
    if found is None:
        return None
    ways, degree, added = _ways(tree), found, 0
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


def _ways(tree: Node) -> int:
    """Return in how many ways a text can be read, apart from the number of rounds in loops."""
    match tree:
        case Sequence(parts):
            return prod(map(_ways, parts))
        case Choice(parts):
            firsts = [_first(part) for part in parts]
            is_told = all(firsts) and all(
                not _meet(one, other) for n, one in enumerate(firsts) for other in firsts[:n]
            )
            return (max if is_told else sum)(map(_ways, parts))
        case Group(body=body):
            return 1 if tree.looks else _ways(body)
        case Repeated(body):
            return _rolled_out(tree) or _ways(body)
    return 1


def _rolled_out(tree: Repeated) -> int | None:
    """Return in how many ways a part is read that is written out; None if it is made a loop."""
    ways, most = _ways(tree.body), tree.most
    if most is not None and most <= 1:
        return ways * most + 1 - tree.least
    is_run = isinstance(tree.body, Characters) and most != tree.least
    if (
        most is None
        or is_run
        or not _is_finite(tree.body)
        or most * _size(tree.body) > _MOST_ROLLED_OUT
    ):
        return None
    every = sum(ways**rounds for rounds in range(tree.least, most + 1))
    return every if every < _FEW_WAYS else None


def _size(tree: Node) -> int:
    """Return the number of states of a part that is written out."""
    match tree:
        case Sequence(parts) | Choice(parts):
            return sum(map(_size, parts))
        case Group(body=body):
            return _size(body)
        case Repeated(body, _, _, most):
            return _size(body) * (most if most and _rolled_out(tree) else 1)
    return 1


def _first(tree: Node) -> Ranges:
    """Return the characters that a part can begin with; none if it is not known."""
    match tree:
        case Characters(_, ranges):
            return ranges
        case Sequence(parts) if parts:
            return _first(parts[0])
        case Choice(parts):
            found = [_first(part) for part in parts]
            return characters.joined(sum(found, ())) if all(found) else ()
        case Group(body=body) if not tree.looks:
            return _first(body)
        case Repeated(body, _, least):
            return _first(body) if least else ()
    return ()


def _meet(one: Ranges, other: Ranges) -> bool:
    return any(low <= end and start <= high for low, high in one for start, end in other)


@dataclass
class _Ends:
    """The states that a part begins and ends with, each in how many ways; and if it is empty."""

    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)
    empty: int = 1


class _TooLargeError(Exception):
    pass


class _Automaton:
    """The states of a pattern, what each reads, and in how many ways one follows another."""

    def __init__(self) -> None:
        self.reads: list[Ranges] = []
        self.follow: dict[int, Counter[int]] = defaultdict(Counter)

    def ends(self, tree: Node) -> _Ends:
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
        if most and _rolled_out(tree):
            optional = Repeated(body, "?", 0, 1)
            return self._sequence([body] * least + [optional] * (most - least))
        return self._loop(self.ends(body), least)

    def _state(self, ranges: Ranges) -> _Ends:
        state = len(self.reads)
        if state == _MOST_STATES:
            raise _TooLargeError
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


def _is_finite(tree: Node) -> bool:
    match tree:
        case Sequence(parts) | Choice(parts):
            return all(map(_is_finite, parts))
        case Group(body=body):
            return _is_finite(body)
        case Repeated(body, _, _, most):
            return most is not None and _is_finite(body)
        case Reference():
            return False
    return True


def _degree(tree: Node) -> int | None:
    """Return the degree in which the length of a text counts; None if it is exponential."""
    automaton = _Automaton()
    try:
        automaton.ends(tree)
        return _Ambiguity(automaton).degree()
    except _TooLargeError:
        return None


class _Ambiguity:
    def __init__(self, automaton: _Automaton) -> None:
        self.follow = automaton.follow
        self.masks = _masks(automaton.reads)
        self.count = len(automaton.reads)
        self.steps = 0
        self.parts = _components(self.count, automaton.follow)
        """The number of the loop that a state is in; higher ones come before lower ones."""

    def degree(self) -> int | None:
        loops: dict[int, list[int]] = defaultdict(list)
        for state in range(self.count):
            loops[self.parts[state]].append(state)
        real = {
            part: states
            for part, states in loops.items()
            if len(states) > 1 or states[0] in self.follow.get(states[0], ())
        }
        for states in real.values():
            if self._is_exponential(states):
                return None
        longest: dict[int, int] = {}
        for part in sorted(real):  # What comes later in the pattern has a lower number.
            behind = [
                longest[other]
                for other in longest
                if any(self._meet(p, q) for p in real[part] for q in real[other])
            ]
            longest[part] = 1 + max(behind, default=0)
        return max(longest.values(), default=0)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _TooLargeError

    def _is_exponential(self, states: list[int]) -> bool:
        """Return whether two ways around a loop read the same text."""
        part = self.parts[states[0]]
        inside = {
            one: [(other, ways) for other, ways in self.follow[one].items()
                  if self.parts[other] == part]
            for one in states
        }  # fmt: skip
        if any(ways > 1 for each in inside.values() for _, ways in each):
            return True
        after: dict[tuple[int, int], list[tuple[int, int]]] = {}
        waiting = [(one, one) for one in states]
        while waiting:
            pair = waiting.pop()
            if pair in after:
                continue
            after[pair] = []
            for one, _ in inside[pair[0]]:
                for other, _ in inside[pair[1]]:
                    self._step()
                    if self.masks[one] & self.masks[other]:
                        after[pair].append((one, other))
            waiting += after[pair]
        numbers = {pair: number for number, pair in enumerate(after)}
        graph = {
            numbers[pair]: Counter(numbers[one] for one in found) for pair, found in after.items()
        }
        parts = _components(len(numbers), graph)
        same = {parts[numbers[one, one]] for one in states}
        return any(one != other and parts[numbers[one, other]] in same for one, other in numbers)

    def _meet(self, start: int, end: int) -> bool:
        """Return whether a text leads from a loop around it, to a later loop, and around that."""
        first, last = self.parts[start], self.parts[end]
        if not self.masks[start] & self.masks[end]:
            return False
        seen = set()
        waiting = [(start, start, end)]
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            for one in self.follow[place[0]]:
                if self.parts[one] != first:
                    continue
                for other in self.follow[place[2]]:
                    both = self.masks[one] & self.masks[other]
                    if self.parts[other] != last or not both:
                        continue
                    for middle in self.follow[place[1]]:
                        self._step()
                        if both & self.masks[middle]:
                            if (one, middle, other) == (start, end, end):
                                return True
                            waiting.append((one, middle, other))
        return False


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


def _components(count: int, follow: dict[int, Counter[int]]) -> list[int]:
    """Return the number of the strongly connected component of each node (Tarjan)."""
    number = [-1] * count
    low = [0] * count
    parts = [-1] * count
    stack: list[int] = []
    counted = found = 0
    for root in range(count):
        if number[root] >= 0:
            continue
        work = [(root, iter(follow.get(root, ())))]
        number[root] = low[root] = counted
        counted += 1
        stack.append(root)
        while work:
            node, rest = work[-1]
            for after in rest:
                if number[after] < 0:
                    number[after] = low[after] = counted
                    counted += 1
                    stack.append(after)
                    work.append((after, iter(follow.get(after, ()))))
                    break
                if parts[after] < 0:
                    low[node] = min(low[node], number[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    while parts[node] < 0:
                        parts[stack.pop()] = found
                    found += 1
    return parts
