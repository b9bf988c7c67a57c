"""Convert surrogate pairs of JSON, `\\ud83d\\ude00`, to escapes of YAML, `\\U0001f600`.

YAML is a superset of JSON, but libyaml rejects surrogate pairs. `json.dumps` uses them for emoji.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection

from msgspec import Struct

_PAIR = re.compile(
    r"(?P<before>(?<!\\)(?:\\\\)*)"
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
)
_SHORTER = len(r"\ud83d\ude00") - len(r"\U0001f600")


class Joined(Struct, frozen=True):
    """A text with each surrogate pair joined into one escape.

    `pairs` holds the offsets of these escapes in `text`, ascending.
    """

    text: str
    pairs: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """Return the offset in the original text for an offset in `text`."""
        return offset + _SHORTER * bisect_left(self.pairs, offset) if self.pairs else offset

    def within(self, start: int, end: int) -> tuple[int, ...]:
        """Return the pairs between two offsets in `text`."""
        return self.pairs[bisect_left(self.pairs, start) : bisect_left(self.pairs, end)]


def join(text: str, keep: Collection[int] = ()) -> Joined:
    """Return the text with every pair joined, except those at the offsets in `keep`.

    In an unquoted or single-quoted scalar, a pair is plain text and must be kept. Only the parser
    knows which scalars are quoted.
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
