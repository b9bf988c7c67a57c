"""JSON's way to write a character beyond U+FFFF, `\\ud83d\\ude00`, as YAML's, `\\U0001f600`.

YAML reads JSON, but libyaml does not know surrogate pairs, and `json.dumps` writes every emoji so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass

_PAIR = re.compile(
    r"(?P<before>(?<!\\)(?:\\\\)*)"
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
)
_SHORTER = len(r"\ud83d\ude00") - len(r"\U0001f600")


@dataclass(frozen=True, slots=True)
class Joined:
    """A text whose surrogate pairs are written as one escape each.

    `pairs` has the offset of each such escape in `text`, ascending.
    """

    text: str
    pairs: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """The offset, in the text as it was, of an offset in `text`."""
        return offset + _SHORTER * bisect_left(self.pairs, offset) if self.pairs else offset

    def within(self, start: int, end: int) -> tuple[int, ...]:
        """The pairs between two offsets of `text`."""
        return self.pairs[bisect_left(self.pairs, start) : bisect_left(self.pairs, end)]


def join(text: str, keep: Collection[int] = ()) -> Joined:
    """Join every pair of the text but those that begin at the offsets `keep`.

    Whether a pair is an escape at all depends on the quotes around it, which only the parser
    knows: in an unquoted or single-quoted scalar it is plain text, to be kept.
    """
    parts: list[str] = []
    pairs: list[int] = []
    length = done = 0
    for match in _PAIR.finditer(text):
        start = match.end("before")
        if start in keep:
            continue
        parts.append(text[done:start])
        pairs.append(length := length + start - done)
        code = 0x10000 + ((int(match["high"], 16) & 0x3FF) << 10) + (int(match["low"], 16) & 0x3FF)
        parts.append(f"\\U{code:08x}")
        length += len(parts[-1])
        done = match.end()
    return Joined("".join((*parts, text[done:])), tuple(pairs))
