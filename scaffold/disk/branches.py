"""Detect generated files that git has merged from two branches, with or without conflict markers.

Nobody has to merge generated files by hand: they are generated again from the merged spec. To rule
out edits by hand, every word of the file must be ours: it occurs in the wanted files, in the spec
or lock of either side, or in another generated file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from scaffold.disk.lock import Entry
from scaffold.disk.merge import has_markers, merge, split
from scaffold.disk.records import LAST_SPEC
from scaffold.disk.tree import Snapshot, Tree
from scaffold.files import Owner, RelPath, RenderedFiles

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_a-zA-Z]+")


@dataclass(frozen=True)
class Branches:
    """The files of a project, wanted and last written; unless `intact`, git has merged branches."""

    tree: Tree
    wanted: RenderedFiles
    last: Mapping[RelPath, Entry]
    intact: bool

    def made(self, path: RelPath, found: Snapshot) -> bool:
        """Return whether git merged a generated file from two branches and nobody edited it."""
        if self.intact and not has_markers(found.data):
            return False
        unknown = _words_of(_unmarked(found.data)) - self._known
        for other, entry in self.last.items():
            if unknown and other != path and entry.owner is Owner.GENERATED:
                there = self.tree.read(other)
                unknown -= _words_of(there.data) if there else set()
        return not unknown

    def may_hold_more(self, path: RelPath, found: Snapshot) -> bool:
        """Return whether a file that git seems to have merged has a line not derived from ours.

        Such a line may be an edit by hand that happens to use our words.
        """
        if self.intact and not has_markers(found.data):
            return False
        if found.sha256 in {entry.sha256 for entry in self.last.values()}:
            return False
        files = [self.wanted[path]] if path in self.wanted else self.wanted.values()
        spec = self.tree.read(LAST_SPEC)  # with both sides, where they conflict
        texts = [*(file.text for file in files), _decoded(spec.data) if spec else ""]
        ours = {_line(line, self._folders) for text in texts for line in text.splitlines()}
        theirs = _decoded(_unmarked(found.data)).splitlines()
        return not all(_is_part_of_one(_line(line, self._folders), ours) for line in theirs)

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The words in folder names: a branch may have renamed the package."""
        names = (name for path in (*self.last, *self.wanted) for name in path.folders)
        return _words_of(" ".join(names).encode())

    @cached_property
    def _known(self) -> frozenset[str]:
        texts = [file.text for file in self.wanted.values()]
        names = [*self.last, *(entry.about or "" for entry in self.last.values())]
        specs = self.tree.read(LAST_SPEC)
        known = map(_words_of, (text.encode() for text in (*texts, *names)))
        return frozenset().union(*known, _words_of(specs.data if specs else b""))


def resolved(common: str | None, ours: str, theirs: str) -> str | None:
    """Merge a file that has git's conflict markers with the template's text `theirs`.

    `common` is the base. Returns None unless both of git's sides merge to the same text.
    """
    both, bases = split(ours), split(common) if common is not None else None
    if both is None or common is None:
        return None
    merges = {
        merged.text if not merged.conflicts else None
        for side, old in zip(both, bases or (common, common), strict=True)
        for merged in [merge(old, side, theirs)]
    }
    return merges.pop() if len(merges) == 1 else None


def _unmarked(data: bytes) -> bytes:
    """Return the file without the marker lines that name the sides."""
    return re.sub(rb"^(?:<{7}|\|{7}|>{7}) .*$", b"", data, flags=re.MULTILINE)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _line(text: str, left_out: Collection[str]) -> tuple[str, ...]:
    """Return the words of a line, without its numbers and those `left_out`."""
    return tuple(w for w in map(str.casefold, _WORD.findall(text)) if w not in left_out)


def _is_part_of_one(line: tuple[str, ...], ours: Collection[tuple[str, ...]]) -> bool:
    """Return whether a line is one of ours, possibly with words missing."""
    if not line or line in ours:
        return True
    return any(all(word in rest for word in line) for one in ours for rest in [iter(one)])


def _words_of(data: bytes) -> frozenset[str]:
    """Return the words of a text; `SearchArguments` and `search_blog` count as two each."""
    parts = re.findall(rf"{_WORD.pattern}|\d+", _decoded(data))
    return frozenset(map(str.casefold, parts))
