"""What is called otherwise now, and what lies on disk → which file goes where."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.disk.lock import Entry
from scaffold.disk.refactor import Names
from scaffold.disk.tree import Tree
from scaffold.files import Owner, RelPath, RenderedFiles


@dataclass(frozen=True, slots=True)
class Renames:
    """What is called otherwise than when the project was last written.

    `paths` maps where merged and owned files lay to where they shall lie; `names` are used in Python
    files.
    """

    paths: Mapping[RelPath, RelPath] = field(default_factory=dict)
    names: Names = field(default_factory=Names)


NONE = Renames()


@dataclass(frozen=True, slots=True)
class Moves:
    """What becomes of the user's files where names and paths change.

    `sources` tells where the files lie that move, by where they go; `blocked` tells it of those
    that cannot, since another file lies there. Files that would change places in a circle are
    `swapped`, and stay; `found` have been moved by their user. `others` are Python files of the
    user that no template knows, and may use our names.
    """

    sources: Mapping[RelPath, RelPath]
    blocked: Mapping[RelPath, RelPath]
    swapped: frozenset[RelPath]
    found: frozenset[RelPath]
    others: frozenset[RelPath]

    @property
    def targets(self) -> dict[RelPath, RelPath]:
        """Where the files go that move, by where they lie."""
        return {old: new for new, old in self.sources.items()}


def moves(
    renames: Renames, wanted: RenderedFiles, last: Mapping[RelPath, Entry], tree: Tree
) -> Moves:
    """Find the files to move, and those to look for names in.

    A file moves only to where nothing lies, or a stub that nobody has touched, or what moves away
    itself. When the package gets another name, the user's files in it go with ours. Raises
    ScaffoldError as `Tree.read` does.
    """
    paths = {old: new for old, new in renames.paths.items() if os.path.lexists(tree.root / old)}
    found = frozenset(new for old, new in renames.paths.items() if old not in paths)
    folders = _packages(paths, renames.names)
    paths = dict(_followers(folders, wanted, last, tree)) | paths
    swapped = frozenset(path for path in paths if _returns(path, paths))
    paths = {old: new for old, new in paths.items() if old not in swapped}
    while taken := [old for old, new in paths.items() if not _is_free(new, paths, last, tree)]:
        paths = {old: new for old, new in paths.items() if old not in taken}
    blocked = {
        new: old
        for old, new in renames.paths.items()
        if old not in {*paths, *swapped} and new not in found and _is_waited_for(old, last, tree)
    }
    known = {*wanted, *last, *paths}
    python = _user_python(last, tree.root) if renames.names else ()
    others = frozenset(path for path in python if path not in known)
    return Moves({new: old for old, new in paths.items()}, blocked, swapped, found, others)


def _packages(paths: Mapping[RelPath, RelPath], names: Names) -> set[tuple[str, str]]:
    """The folders of the package, before and now, as far as files move from one to the other."""
    found = set()
    for old, new in paths.items():
        a, b = old.split("/"), new.split("/")
        while a and b and a[-1] == b[-1]:
            a.pop(), b.pop()
        if a and b and (a[-1], b[-1]) == names.package:
            found.add(("/".join(a), "/".join(b)))
    return found


def _followers(
    folders: Iterable[tuple[str, str]],
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    tree: Tree,
) -> Iterator[tuple[RelPath, RelPath]]:
    """The files of the user in folders that ours leave, with their new paths."""
    for folder, target in folders:
        if not any(path.startswith(f"{folder}/") for path in wanted):
            for old in _files(tree.root, folder):
                new = RelPath(target + old.removeprefix(folder))
                if new not in wanted and (old not in last or _is_edited(old, last[old], tree)):
                    yield old, new


def _is_edited(path: RelPath, entry: Entry, tree: Tree) -> bool:
    """Whether a file that is no longer asked for may hold a person's work."""
    found = tree.read(path)
    return entry.owner is not Owner.GENERATED and (found is None or found.sha256 != entry.sha256)


def _is_waited_for(path: RelPath, last: Mapping[RelPath, Entry], tree: Tree) -> bool:
    """Whether a file that was in use until now may hold a person's work."""
    entry = last.get(path)
    return entry is not None and not entry.orphan and _is_edited(path, entry, tree)


def _is_free(
    path: RelPath, paths: Mapping[RelPath, RelPath], last: Mapping[RelPath, Entry], tree: Tree
) -> bool:
    """Whether a file may move to a path."""
    if path in paths or not os.path.lexists(tree.root / path):
        return True
    entry, found = last.get(path), tree.read(path)
    return bool(entry and found and entry.owner is Owner.OWNED and found.sha256 == entry.sha256)


def _returns(path: RelPath, paths: Mapping[RelPath, RelPath]) -> bool:
    """Whether the moves lead from a path, one by one, back to it."""
    at, left = paths.get(path), len(paths)
    while at is not None and at != path and left:
        at, left = paths.get(at), left - 1
    return at == path


def _user_python(last: Mapping[RelPath, Entry], root: Path) -> Iterator[RelPath]:
    """The Python files in the folders where templates put files for users to write in."""
    owned = (path.rpartition("/")[0] for path, e in last.items() if e.owner is Owner.OWNED)
    for folder in sorted({folder for folder in owned if folder}):
        yield from (path for path in _files(root, folder) if path.endswith(".py"))


def _files(root: Path, folder: str) -> Iterator[RelPath]:
    """The files below a folder that a project can have; links and bytecode are left out."""
    for parent, folders, names in os.walk(root / folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            file = Path(parent, name)
            try:
                path = RelPath(file.relative_to(root).as_posix())
            except ValueError:
                continue
            if file.is_file() and not file.is_symlink():
                yield path
