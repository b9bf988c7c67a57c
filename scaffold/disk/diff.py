"""Line differences between two texts, as hunks and as unified diffs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from typing import NamedTuple


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
    return _joined(old, new, _moved_down(old, new, [*_differing(old, new)]))


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """Return the unified diff of two texts, as `patch` reads it; empty if they are equal."""
    diff = unified_diff(lines(old), lines(new), old_name, new_name)
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in diff
    )
    return "".join(ended)


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    """Yield where two texts differ; their common start and end are skipped."""
    shared = min(len(old), len(new))
    head = next((at for at in range(shared) if old[at] != new[at]), shared)
    tail = next((at for at in range(shared - head) if old[-1 - at] != new[-1 - at]), shared - head)
    middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    for what, *at in SequenceMatcher(None, middle, new_middle).get_opcodes():
        if what != "equal":
            yield Hunk(*(place + head for place in at))


def _moved_down(old: Sequence[str], new: Sequence[str], changed: list[Hunk]) -> list[Hunk]:
    """Move each pure insertion or deletion down as far as equal lines allow."""
    out: list[Hunk] = []
    for start, stop, new_start, new_stop in reversed(changed):
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


def _joined(old: Sequence[str], new: Sequence[str], changed: list[Hunk]) -> list[Hunk]:
    """Join hunks that would touch if the lower one were moved up."""
    out: list[Hunk] = []
    for hunk in changed:
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
