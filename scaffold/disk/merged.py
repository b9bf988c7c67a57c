"""What git knows of a merge of branches, to restore what the merge has left in pieces.

Git merges `.scaffold/` file by file, and people may take one side of some of it. Git still has both
sides whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.lock import Entry, Lock, parse
from scaffold.disk.records import LOCK, base
from scaffold.disk.tree import Tree, digest, folded
from scaffold.files import RelPath

_MOST_SAID = 256 * 2**20
_SQUASHED = re.compile(r"^commit ([0-9a-f]{40,64})$", re.MULTILINE)
_TRANSPORT = "file:https:ssh"
"""A partial clone fetches the old versions that it lacks."""


class Merge(Struct, frozen=True):
    """A merge of two branches that is going on, or that is the present commit.

    `commits` are those of our side and of theirs.
    """

    root: Path
    commits: tuple[str, str]
    ongoing: bool

    def took_a_lock(self) -> bool:
        """Return whether the lock is that of one branch, though both have changed it."""
        found = Tree(self.root).read(LOCK)
        ours, theirs, before = (
            digest(git(self.root, *blob(commit, LOCK))) for commit in (*self.commits, self.base)
        )
        changed = len({ours, theirs, before}) == 3
        return found is not None and changed and found.sha256 in (ours, theirs)

    @property
    def base(self) -> str:
        """The commit that both sides come from; an empty string if there is none."""
        return git(self.root, "merge-base", *self.commits).decode().partition("\n")[0]

    def entries(self) -> Mapping[RelPath, Entry]:
        """Return the entries of the locks of both branches, ours before theirs."""
        ours, theirs = map(self.files, self.commits)
        return {**theirs, **ours}

    def dropped(self, lock: Lock) -> Mapping[RelPath, Entry]:
        """Return the orphans that git left: files that one branch dropped and the other edited.

        A lock with conflict markers joins those of both branches, and so may have such a file.
        """
        tree, found = Tree(self.root), {}
        ours, theirs = map(self.files, self.commits)
        joined = {} if lock.intact else self.files(self.base)
        for path, entry in {**theirs, **ours}.items():
            is_left = path in joined and (path in ours) != (path in theirs)
            if is_left or path not in lock.files:
                with suppress(ScaffoldError):  # a link or a folder has taken its place
                    there = tree.read(path)
                    if there and there.sha256 != entry.sha256:
                        found[path] = replace(entry, orphan=True)
        return found

    def files(self, commit: str) -> Mapping[RelPath, Entry]:
        """Return the entries of the lock in a commit."""
        return _lock_files(self.root, commit)

    def written(self) -> Sequence[Mapping[RelPath, str]]:
        """Return the files as they were written last in each branch, and before them."""
        commits = (*self.commits, *filter(None, [self.base]))
        return [dict(_unedited(self.root, commit)) for commit in commits]

    def bases(self, path: RelPath) -> tuple[str, str] | None:
        """Return what the templates made of a merged file in each branch; None if one has none."""
        ours, theirs = (folded(git(self.root, *blob(c, base(path)))) for c in self.commits)
        return (ours, theirs) if ours and theirs else None


def find_merge(root: Path) -> Merge | None:
    """Return the merge that a project is in; None if there is none, and without git."""
    resolved = root.resolve()
    if not any((folder / ".git").exists() for folder in (resolved, *resolved.parents)):
        return None
    names = ("HEAD", "MERGE_HEAD", "HEAD^1", "HEAD^2")
    known = _commits(root, names)
    for ours, theirs in (names[:2], names[2:]):
        if ours in known and theirs in known:
            return Merge(root, (known[ours], known[theirs]), theirs == "MERGE_HEAD")
    return None


def combined(root: Path) -> Sequence[Mapping[RelPath, str]]:
    """Return the files as written last in commits that git combines in another way than a merge.

    These are our commit, the one of a rebase, a cherry-pick, a stash or a squashed branch, and those
    before it.
    """
    names = ["CHERRY_PICK_HEAD", "REBASE_HEAD", "refs/stash"]
    message = git(root, "rev-parse", "--git-path", "SQUASH_MSG").decode().rstrip("\n")
    with suppress(OSError):
        squashed = (root / message).read_text("utf-8", "replace") if message else ""
        names += _SQUASHED.findall(squashed)[:1]
    bases = [git(root, "merge-base", "HEAD", name).decode().partition("\n")[0] for name in names]
    known = _commits(root, ["HEAD", *names, *(f"{name}^" for name in names), *filter(None, bases)])
    return [dict(_unedited(root, commit)) for commit in dict.fromkeys(known.values())]


def _unedited(root: Path, commit: str) -> Iterator[tuple[RelPath, str]]:
    """Yield the files in a commit that are as its lock has them."""
    files = _lock_files(root, commit)
    for path, data in _blobs(root, commit, files):
        if digest(data) == files[path].sha256:
            yield path, folded(data)


def _lock_files(root: Path, commit: str) -> Mapping[RelPath, Entry]:
    try:
        return parse(git(root, *blob(commit, LOCK))).files
    except (ValueError, RecursionError):
        return {}


def _commits(root: Path, names: Sequence[str]) -> Mapping[str, str]:
    """Return the commits that some names stand for, without those that there are not."""
    asked = "".join(f"{name}\n" for name in names).encode()
    said = git(root, "cat-file", "--batch-check=%(objectname)", input=asked).decode().splitlines()
    return {name: line for name, line in zip(names, said, strict=False) if " " not in line}


def _blobs(root: Path, commit: str, paths: Iterable[RelPath]) -> Iterator[tuple[RelPath, bytes]]:
    """Yield the files in a commit, those that it has."""
    names = [*paths]
    asked = "".join(f"{commit}:./{path}\n" for path in names).encode()
    answer = git(root, "cat-file", "--batch", input=asked)
    for path in names:
        head, _, answer = answer.partition(b"\n")
        kind, _, size = head.rpartition(b" ")
        if kind.endswith(b" blob"):
            yield path, answer[: int(size)]
            answer = answer[int(size) + 1 :]


def blob(commit: str, path: str) -> tuple[str, ...]:
    """Return the arguments that make git print a file of the project in a commit."""
    return "cat-file", "blob", f"{commit}:./{path}"


def git(root: Path, *arguments: str, input: bytes = b"") -> bytes:
    """Run git in the project, and return its output; nothing if it fails or is not installed."""
    from scaffold.git import GitError, run  # slow to import, and needed only in a repository

    with suppress(GitError):
        return run(str(root), *arguments, most=_MOST_SAID, transport=_TRANSPORT, input=input)
    return b""
