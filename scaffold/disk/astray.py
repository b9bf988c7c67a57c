"""Edits that git has merged into the base of a merged file instead of into the file.

Where one branch moves a file and the other edits it, git looks for the file's new place by its
text, and may take the base for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from scaffold.disk.merge import merge as merge_texts
from scaffold.disk.merge import split
from scaffold.disk.merged import Merge, blob, git
from scaffold.disk.records import base
from scaffold.disk.tree import Snapshot, digest, folded
from scaffold.files import Owner, RelPath


class Astray(Struct, frozen=True):
    """A base with a text that no run has written, as far as git knows.

    `before` is its text without the edit, if known: then it is certain that there is an edit.
    """

    before: str | None = None


def find_astray(root: Path, merge: Merge | None, path: RelPath, kept: Snapshot) -> Astray | None:
    """Return what is known of the base of a merged file that the lock does not have.

    Returns None for a text that git does not hold either, and for one that git has merged from
    bases alone.
    """
    where = base(path)
    committed = (digest(git(root, *blob(commit, where))) for commit in ("HEAD", ""))
    if not (merge and merge.ongoing) and kept.sha256 not in committed:
        return None
    if merge is None:
        return Astray()
    sides = [folded(git(root, *blob(commit, where))) for commit in merge.commits]
    found = [(commit, text) for commit, text in zip(merge.commits, sides, strict=True) if text]
    ours = [text for commit, text in found if _is_recorded(merge, commit, path, text)]
    if folded(kept.data) in ours:
        return None
    if len(found) != 1 or git(root, *blob(merge.base, where)):  # git merges bases with each other
        return Astray() if len(ours) < max(len(found), 1) else None
    one, other = merge.commits if sides[0] else merge.commits[::-1]
    before = sides[0] or sides[1]
    made = {before, *_merges(merge, other, before, swapped=one != merge.commits[0])}
    text = folded(kept.data)
    if (both := split(text)) and both in map(split, made):
        return None
    return None if text in made else Astray(before)


def _is_recorded(merge: Merge, commit: str, path: RelPath, text: str) -> bool:
    """Return whether a base is as the lock of a commit has it."""
    entry = merge.files(commit).get(path)
    return entry is not None and entry.sha256 == digest(text.encode())


def _merges(merge: Merge, other: str, before: str, swapped: bool) -> Iterator[str]:
    """Yield what git makes of the base and the changes of another base in the other branch."""
    for path, entry in merge.files(other).items():
        if entry.owner is Owner.MERGED:
            blobs = (git(merge.root, *blob(c, base(path))) for c in (merge.base, other))
            common, theirs = map(folded, blobs)
            if common and theirs and common != theirs:
                sides = (theirs, before) if swapped else (before, theirs)
                yield merge_texts(common, *sides).text
