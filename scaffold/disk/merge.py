"""Three-way merge of texts, line by line, without git."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scaffold.disk.diff import Hunk, hunks, lines

OURS = "<<<<<<< yours\n"
MIDDLE = "=======\n"
THEIRS = ">>>>>>> template\n"

_CONFLICT = re.compile(rb"^<{7} [^\n]+$.*?^>{7} [^\n]+$", re.MULTILINE | re.DOTALL)

_JOIN = 3  # common lines between two conflicts that are shown within one


class Conflict(NamedTuple):
    """Lines `start` to `stop` (from 0) of our text, which the other text has otherwise."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Merged:
    """The text of a merge; where `conflicts` is not empty, with both sides between markers."""

    text: str
    conflicts: tuple[Conflict, ...]


def merge(base: str, ours: str, theirs: str) -> Merged:
    """Both edits of `base` in one text.

    Edits that touch the same or adjoining lines conflict, unless they are the same edit. Only the
    lines in which the two sides of a conflict differ are put between its markers.
    """
    old, mine, other = lines(base), lines(ours), lines(theirs)
    text: list[str] = []
    conflicts: list[Conflict] = []
    done = 0
    for a, b in _regions(hunks(old, mine), hunks(old, other)):
        text += old[done : a.start]
        done = a.stop
        left, right = mine[a.new_start : a.new_stop], other[b.new_start : b.new_stop]
        if right == old[b.start : b.stop] or left == right:
            text += left
        elif left == old[a.start : a.stop]:
            text += right
        else:
            found = _differing(left, right)
            text += _marked(left, right, found)
            conflicts += [Conflict(a.new_start + h.start, a.new_start + h.stop) for h in found]
    text += old[done:]
    return Merged("".join(text), tuple(conflicts))


def has_markers(text: bytes) -> bool:
    """Whether a conflict of an earlier merge, ours or one of git's, still stands in a file."""
    return _CONFLICT.search(text) is not None


def marked_line(text: bytes) -> int | None:
    """Return the first line, from 0, of a conflict that still stands in a file."""
    found = _CONFLICT.search(text)
    return text.count(b"\n", 0, found.start()) if found else None


def split(text: str) -> tuple[str, str] | None:
    """Split a text with git's conflict markers into the texts of both sides; None without any."""
    sides: tuple[list[str], list[str]] = ([], [])
    inside: tuple[int, ...] = (0, 1)
    seen = False
    for line in lines(text):
        match line[:7], line[7:8].strip():
            case "<<<<<<<", "" if inside == (0, 1) and len(line.strip()) > 7:
                inside, seen = (0,), True
            case "|||||||", "" if inside == (0,):
                inside = ()
            case "=======", "" if inside in ((0,), ()) and len(line.strip()) == 7:
                inside = (1,)
            case ">>>>>>>", "" if inside == (1,):
                inside = (0, 1)
            case _:
                for side in inside:
                    sides[side].append(line)
    if not seen or inside != (0, 1):
        return None
    return "".join(sides[0]), "".join(sides[1])


def _regions(ours: list[Hunk], theirs: list[Hunk]) -> Iterator[tuple[Hunk, Hunk]]:
    """The stretches of the base that either side changed, as what each side made of them."""
    todo = deque(sorted([(hunk, 0) for hunk in ours] + [(hunk, 1) for hunk in theirs]))
    shift = [0, 0]  # how far each side has moved against the base
    while todo:
        start, stop, before = todo[0][0].start, todo[0][0].stop, tuple(shift)
        while todo and todo[0][0].start <= stop:
            hunk, side = todo.popleft()
            stop = max(stop, hunk.stop)
            shift[side] = hunk.new_stop - hunk.stop
        a, b = (
            Hunk(start, stop, start + was, stop + now)
            for was, now in zip(before, shift, strict=True)
        )
        yield a, b


def _differing(left: Sequence[str], right: Sequence[str]) -> list[Hunk]:
    out: list[Hunk] = []
    for hunk in hunks(left, right):
        if out and hunk.start - out[-1].stop <= _JOIN:
            first = out.pop()
            hunk = Hunk(first.start, hunk.stop, first.new_start, hunk.new_stop)
        out.append(hunk)
    return out


def _marked(left: Sequence[str], right: Sequence[str], conflicts: list[Hunk]) -> Iterator[str]:
    done = 0
    for hunk in conflicts:
        yield from left[done : hunk.start]
        yield OURS
        yield from _ended(left[hunk.start : hunk.stop])
        yield MIDDLE
        yield from _ended(right[hunk.new_start : hunk.new_stop])
        yield THEIRS
        done = hunk.stop
    yield from left[done:]


def _ended(part: Sequence[str]) -> Iterator[str]:
    """The lines, the last one with an end, so that a marker can follow it."""
    return (line if line.endswith("\n") else f"{line}\n" for line in part)
