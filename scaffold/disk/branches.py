"""Detect generated files that git has merged from two branches, with or without conflict markers.

Nobody has to merge generated files by hand: they are generated again from the merged spec. To rule
out edits by hand, every word of the file must be ours: it occurs in the wanted files, in the spec
or lock of either side, in what either side generated, or in another generated file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scaffold.disk.lock import Entry
from scaffold.disk.merge import has_markers, merge, split
from scaffold.disk.records import LAST_SPEC
from scaffold.disk.tree import Snapshot, Tree, folded, is_binary
from scaffold.files import Owner, RelPath, RenderedFiles

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_a-zA-Z]+")
_VERSION = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True)
class Branches:
    """The files of a project, wanted and last written; unless `intact`, git has merged branches.

    `sides` returns what the branches generated, as far as it is known. It is slow. `bases` returns
    what the templates made of a merged file in each branch, if it is known.
    """

    tree: Tree
    wanted: RenderedFiles
    last: Mapping[RelPath, Entry]
    intact: bool
    sides: Callable[[], Sequence[Mapping[RelPath, str]]]
    bases: Callable[[RelPath], tuple[str, str] | None]

    def made(self, path: RelPath, found: Snapshot) -> bool:
        """Return whether git merged a generated file from two branches and nobody edited it."""
        if is_binary(found.data):  # git leaves one side whole
            text = folded(found.data)
            return not self.intact and any(side.get(path) == text for side in self.sides())
        if self.intact and not has_markers(found.data):
            return False
        unknown = _words_of(_unmarked(found.data)) - self._known
        for other, entry in self.last.items():
            if unknown and other != path and entry.owner is Owner.GENERATED:
                there = self.tree.read(other)
                unknown -= _words_of(there.data) if there else set()
        return not unknown

    def made_stub(self, path: RelPath, found: Snapshot) -> bool:
        """Return whether git left markers between what two branches generated, and nothing else."""
        merged = not self.intact and has_markers(found.data)
        return merged and not self.may_hold_more(path, found)

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
        texts += [text for side in self.sides() for p, text in side.items() if _is_same(p, path)]
        ours = {"", *(self._unnamed(line) for text in texts for line in text.splitlines())}
        theirs = map(self._unnamed, _decoded(_unmarked(found.data)).splitlines())
        return any(line not in ours and not _is_shorter(line, ours) for line in theirs)

    def adds(self, path: RelPath, text: str, written: str | None) -> bool:
        """Return whether a base has a line with words that no base of ours may have had there."""
        texts = [self.wanted[path].text if path in self.wanted else "", written or ""]
        texts += [other for side in self.sides() for p, other in side.items() if _is_same(p, path)]
        texts += self.bases(path) or ()
        ours = {_line(line) for known in texts for line in known.splitlines()}
        lines = _decoded(_unmarked(text.encode())).splitlines()
        return any(words and words not in ours for words in map(_line, lines))

    def _unnamed(self, line: str) -> str:
        """Return a line as it would be for any handler, package and version of the server."""
        return _VERSION.sub("", self._names.sub("\0", line)).strip().rstrip(",")

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """The names of handlers and folders in any spelling: `get.user`, `get_user`, `GetUser`."""
        names = {entry.about for entry in self.last.values() if entry.template and entry.about}
        names |= {name for path in (*self.last, *self.wanted) for name in path.split("/")[:-1]}
        spelled = {r"[\W_]*".join(_WORD.findall(name)) for name in names} - {""}
        one_of = "|".join(sorted(spelled, reverse=True)) or "(?!)"
        return re.compile(rf"(?<![^\W_])(?i:{one_of})(?![a-z])")

    @cached_property
    def _known(self) -> frozenset[str]:
        texts = [file.text for file in self.wanted.values()]
        names = [*self.last, *(entry.about or "" for entry in self.last.values())]
        specs = self.tree.read(LAST_SPEC)
        texts += [text for side in self.sides() for text in side.values()]
        known = map(_words_of, (text.encode() for text in (*texts, *names)))
        return frozenset().union(*known, _words_of(specs.data if specs else b""))


def resolved(
    common: str | None, ours: str, theirs: str, bases: tuple[str, str] | None = None
) -> str | None:
    """Merge a file that has git's conflict markers with the template's text `theirs`.

    `common` is the base; without it, `bases` are those of git's sides. Returns None unless both
    sides merge to the same text.
    """
    both = split(ours)
    if common is not None:
        bases = split(common) or (common, common)
    if both is None or bases is None:
        return None
    merges = {
        merged.text if not merged.conflicts else None
        for side, old in zip(both, bases, strict=True)
        for merged in [merge(old, side, theirs)]
    }
    return merges.pop() if len(merges) == 1 else None


def _unmarked(data: bytes) -> bytes:
    """Return the file without the marker lines of git, longer where a file was renamed twice."""
    return re.sub(rb"^(?:[<|>]{7,} .*|={7,}\r?)$", b"", data, flags=re.MULTILINE)


def _line(text: str) -> tuple[str, ...]:
    """Return the words of a line, which no formatter changes."""
    return tuple(re.findall(r"\w+", text))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _is_same(path: str, other: str) -> bool:
    """Return whether two files may be one, in packages of two names."""
    return path.rpartition("/")[2] == other.rpartition("/")[2]


def _is_shorter(line: str, ours: Collection[str]) -> bool:
    """Return whether a line is one of ours but for items of its list, such as imported names."""
    start, items = _list(line)
    if f"{start} (" in ours and items <= {*ours}:  # there, each item has a line of its own
        return True
    return bool(start) and any(start == other and items <= more for other, more in map(_list, ours))


def _list(line: str) -> tuple[str, frozenset[str]]:
    """Split a line such as `import a, b` into its start and the items at its end."""
    first, *rest = line.split(", ")
    start, _, item = first.rpartition(" ")
    return start, frozenset([item, *rest])


def _words_of(data: bytes) -> frozenset[str]:
    """Return the words of a text; `SearchArguments` and `search_blog` count as two each."""
    parts = re.findall(rf"{_WORD.pattern}|\d+", _decoded(data))
    return frozenset(map(str.casefold, parts))
