"""Line differences between two texts, as hunks and as unified diffs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CONTEXT = 3

# Myers' algorithm is quadratic in the number of edits. Beyond this many, texts are first split at
# the lines that occur once in each, so rewritten files are still fast.
_EDITS = 500


class Hunk(NamedTuple):
    """Lines `start` to `stop` of the old text, replaced by `new_start` to `new_stop` of the new."""

    start: int
    stop: int
    new_start: int
    new_stop: int


def lines(text: str) -> list[str]:
    """Split a text into lines with their ends; only `\\n` ends a line, and the last may lack it."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return where two lists of lines differ, in order, with a common line between any two hunks.

    A hunk that fits in several places, as when one of two equal lines was removed, goes as far down
    as possible. Equal edits then get equal places, whatever texts are compared.
    """
    found = []
    start = new_start = 0
    for i, j in [*_common(old, new), (len(old), len(new))]:
        if start < i or new_start < j:
            found.append(Hunk(start, i, new_start, j))
        start, new_start = i + 1, j + 1
    return _joined(old, new, _moved_down(old, new, found))


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """Return the unified diff of two texts, as `patch` reads it; empty if they are equal."""
    a, b = lines(old), lines(new)
    out = []
    for group in _groups(hunks(a, b)):
        start, new_start = max(group[0].start - CONTEXT, 0), max(group[0].new_start - CONTEXT, 0)
        stop, new_stop = (
            min(group[-1].stop + CONTEXT, len(a)),
            min(group[-1].new_stop + CONTEXT, len(b)),
        )
        out.append(f"@@ -{_range(start, stop)} +{_range(new_start, new_stop)} @@\n")
        for hunk in group:
            out += [f" {line}" for line in a[start : hunk.start]]
            out += [f"-{line}" for line in a[hunk.start : hunk.stop]]
            out += [f"+{line}" for line in b[hunk.new_start : hunk.new_stop]]
            start = hunk.stop
        out += [f" {line}" for line in a[start:stop]]
    if not out:
        return ""
    whole = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in out
    )
    return f"--- {old_name}\n+++ {new_name}\n{''.join(whole)}"


def _groups(found: Iterable[Hunk]) -> list[list[Hunk]]:
    """Group the hunks whose contexts touch: one `@@` shows them together."""
    groups: list[list[Hunk]] = []
    for hunk in found:
        if groups and hunk.start - groups[-1][-1].stop <= 2 * CONTEXT:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    return groups


def _range(start: int, stop: int) -> str:
    count = stop - start
    return f"{start + 1 if count else start},{count}" if count != 1 else f"{start + 1}"


def _common(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of line numbers, both increasing, at which the two texts have the same line."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        yield head, head
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    stop, new_stop = len(old) - tail, len(new) - tail
    shared = {*old[head:stop]} & {*new[head:new_stop]}
    rows = [i for i in range(head, stop) if old[i] in shared]
    columns = [j for j in range(head, new_stop) if new[j] in shared]
    for i, j in _pairs([old[i] for i in rows], [new[j] for j in columns]):
        yield rows[i], columns[j]
    yield from zip(range(stop, len(old)), range(new_stop, len(new)), strict=True)


def _pairs(a: Sequence[str], b: Sequence[str]) -> Sequence[tuple[int, int]]:
    pairs = _shortest(a, b)
    if pairs is not None:
        return pairs
    pairs = []
    cuts = [(-1, -1), *_anchors(a, b), (len(a), len(b))]
    for (i, j), (next_i, next_j) in pairwise(cuts):
        between = _shortest(a[i + 1 : next_i], b[j + 1 : next_j]) or []
        pairs += [(i + 1 + x, j + 1 + y) for x, y in between]
        pairs.append((next_i, next_j))
    return pairs[:-1]


def _shortest(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return the common lines of a shortest edit script; None beyond `_EDITS` edits.

    E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986: `reach[k]` is the furthest
    place in `a` on diagonal k that a given number of edits can reach.
    """
    n, m = len(a), len(b)
    reach = {1: 0}
    history = []
    for edits in range(min(n + m, _EDITS) + 1):
        history.append(reach.copy())
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            i = reach[k + 1] if down else reach[k - 1] + 1
            while i < n and i - k < m and a[i] == b[i - k]:
                i += 1
            reach[k] = i
            if i >= n and i - k >= m:
                return _way_back(history, n, m)
    return None


def _way_back(history: list[dict[int, int]], i: int, j: int) -> list[tuple[int, int]]:
    pairs = []
    for edits in range(len(history) - 1, -1, -1):
        reach, k = history[edits], i - j
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        start = reach[k + 1] if down else reach[k - 1] + 1
        while i > start:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        i, j = (i, j - 1) if down else (i - 1, j)
    return pairs[::-1]


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest increasing run of lines unique to each text: B. Cohen's patience diff."""
    places = _once(b)
    runs: list[tuple[int, int]] = []  # the last pair of the best run of each length
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for line, i in _once(a).items():
        if (j := places.get(line)) is not None:
            length = bisect_left(runs, j, key=lambda pair: pair[1])
            before[i, j] = runs[length - 1] if length else None
            runs[length : length + 1] = [(i, j)]
    run = []
    pair = runs[-1] if runs else None
    while pair is not None:
        run.append(pair)
        pair = before[pair]
    return run[::-1]


def _once(text: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    again = set()
    for place, line in enumerate(text):
        if places.setdefault(line, place) != place:
            again.add(line)
    return {line: place for line, place in places.items() if line not in again}


def _moved_down(old: Sequence[str], new: Sequence[str], found: list[Hunk]) -> list[Hunk]:
    """Move each pure insertion or deletion down as far as equal lines allow."""
    out: list[Hunk] = []
    for start, stop, new_start, new_stop in reversed(found):
        while True:
            if out and stop == out[-1].start:
                below = out.pop()
                stop, new_stop = below.stop, below.new_stop
            elif (start == stop and new_stop < len(new) and new[new_start] == new[new_stop]) or (
                new_start == new_stop and stop < len(old) and old[start] == old[stop]
            ):
                start, stop, new_start, new_stop = start + 1, stop + 1, new_start + 1, new_stop + 1
            else:
                break
        out.append(Hunk(start, stop, new_start, new_stop))
    return out[::-1]


def _joined(old: Sequence[str], new: Sequence[str], found: list[Hunk]) -> list[Hunk]:
    """Join hunks that would touch if the lower one were moved up."""
    out: list[Hunk] = []
    for hunk in found:
        start, stop, new_start, new_stop = hunk
        above = out[-1].stop if out else -1
        while start > above >= 0 and (
            (start == stop and new[new_start - 1] == new[new_stop - 1])
            or (new_start == new_stop and old[start - 1] == old[stop - 1])
        ):
            start, stop, new_start, new_stop = start - 1, stop - 1, new_start - 1, new_stop - 1
        if start == above:
            first = out.pop()
            hunk = Hunk(first.start, stop, first.new_start, new_stop)
        out.append(hunk)
    return out
