"""In how many ways an automaton reads the same text, as a power of the length of the text.

Two rounds through a loop that read the same text make them exponential; two loops, one after the
other, which read the same text as the way between them, make them polynomial (Weber and Seidl, On
the degree of ambiguity of finite automata).
"""

from __future__ import annotations

from collections import Counter, defaultdict

from scaffold.languages.python.patterns.automaton import Automaton, TooLargeError
from scaffold.schema.regular.characters import Ranges

_MOST_STEPS = 1_000_000


class Ambiguity:
    """The loops of an automaton, and which of them read the same text."""

    def __init__(self, automaton: Automaton) -> None:
        self.follow = automaton.follow
        self.masks = _masks(automaton.reads)
        self.count = len(automaton.reads)
        self.steps = 0
        self.parts = _components(self.count, automaton.follow)
        """The number of the loop that a state is in; higher ones come before lower ones."""

    def degree(self) -> int | None:
        """Return the degree; None if it is exponential. Raises TooLargeError."""
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
            raise TooLargeError

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
