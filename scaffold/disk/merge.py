"""Three-way merge of texts, line by line, without git."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from scaffold.base.files import RelPath
from scaffold.disk.diff import Hunk, hunks, lines

OURS = "<<<<<<< yours\n"
MIDDLE = "=======\n"
THEIRS = ">>>>>>> {}\n"


class Conflict(NamedTuple):
    """Lines `start` to `stop` (from 0) of our text that conflict with the other text."""

    start: int
    stop: int


class Merged(Struct, frozen=True):
    """The merged text, with conflict markers if `conflicts` is not empty."""

    text: str
    conflicts: tuple[Conflict, ...]


def merge(
    base: str, ours: str, theirs: str, *, entries: bool = False, source: str = "template"
) -> Merged:
    """Merge two edits of `base`.

    Edits of the same or adjacent lines conflict, unless they are equal. If each line is an entry,
    such as `"key": 1` or `key = 1`, adjacent ones do not. The markers enclose the first to the last
    line that differ; `source` is the name of the other text in them.
    """
    old, mine, other = lines(base), lines(ours), lines(theirs)
    text: list[str] = []
    conflicts: list[Conflict] = []
    done = 0
    edits, others = hunks(old, mine), hunks(old, other)
    if entries:
        edits, others = [*_by_entry(old, mine, edits)], [*_by_entry(old, other, others)]
    for a, b in _regions(edits, others, entries):
        text += old[done : a.start]
        done = a.stop
        left, right = mine[a.new_start : a.new_stop], other[b.new_start : b.new_stop]
        if right == old[b.start : b.stop] or left == right:
            text += left
        elif left == old[a.start : a.stop]:
            text += right
        else:
            differing = hunks(left, right)
            first, last = differing[0], differing[-1]
            text += left[: first.start]
            text += [OURS, *_ended(left[first.start : last.stop])]
            text += [MIDDLE, *_ended(right[first.new_start : last.new_stop])]
            text += [THEIRS.format(source)]
            text += left[last.stop :]
            conflicts.append(Conflict(a.new_start + first.start, a.new_start + last.stop))
    text += old[done:]
    return Merged("".join(text), tuple(conflicts))


def merged(path: RelPath, base: str, ours: str, theirs: str) -> Merged:
    """Merge two edits of a file as `merge` does, and keep both edits of adjacent entries.

    These conflict only if the merged file would be invalid, such as without a comma.
    """
    if path.endswith((".json", ".toml")) or path.rpartition("/")[2] == "Dockerfile":
        result = merge(base, ours, theirs, entries=True)
        if result.conflicts or _is_valid(path, result.text):
            return result
    return merge(base, ours, theirs)


def _is_valid(path: RelPath, text: str) -> bool:
    import tomllib  # imported late: most runs merge nothing

    try:
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _by_entry(old: Sequence[str], new: Sequence[str], changed: list[Hunk]) -> Iterator[Hunk]:
    """Yield the hunks, with a separate one for each entry whose value differs."""
    for hunk in changed:
        keys = [re.split("[:=]", line)[0] for line in old[hunk.start : hunk.stop]]
        others = [re.split("[:=]", line)[0] for line in new[hunk.new_start : hunk.new_stop]]
        i, j = hunk.start, hunk.new_start
        for part in [*hunks(keys, others), Hunk(len(keys), len(keys), len(others), len(others))]:
            while i < hunk.start + part.start:
                yield Hunk(i, i + 1, j, j + 1)
                i, j = i + 1, j + 1
            stop, new_stop = hunk.start + part.stop, hunk.new_start + part.new_stop
            if (i, j) != (stop, new_stop):
                yield Hunk(i, stop, j, new_stop)
            i, j = stop, new_stop


def _regions(ours: list[Hunk], theirs: list[Hunk], entries: bool) -> Iterator[tuple[Hunk, Hunk]]:
    """Yield each region of the base that either side changed, as one hunk per side.

    Hunks that touch are in one region, unless the lines are entries.
    """
    todo = deque(sorted([(hunk, 0) for hunk in ours] + [(hunk, 1) for hunk in theirs]))
    shift = [0, 0]  # offset of each side from the base
    while todo:
        start, stop, before = todo[0][0].start, todo[0][0].stop, tuple(shift)
        while todo and (todo[0][0].start < stop or _meets(todo[0][0], start, stop, entries)):
            hunk, side = todo.popleft()
            stop = max(stop, hunk.stop)
            shift[side] = hunk.new_stop - hunk.stop
        a, b = (
            Hunk(start, stop, start + old_length, stop + new_length)
            for old_length, new_length in zip(before, shift, strict=True)
        )
        yield a, b


def _meets(hunk: Hunk, start: int, stop: int, entries: bool) -> bool:
    """Return whether a hunk at the end of a region joins it; between entries, it must insert."""
    return hunk.start == stop and (not entries or start == hunk.stop)


def _ended(part: Sequence[str]) -> Iterator[str]:
    """Return the lines, with a line end added to the last one so a marker can follow."""
    return (line if line.endswith("\n") else f"{line}\n" for line in part)
