"""Find where the user's files move when names and paths change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Folder, Tree, along, back, is_replaced, is_within
from scaffold.languages.files import CodeFiles


class Renames(Struct, frozen=True):
    """What was renamed since the project was last written.

    `paths` maps the old paths of merged and owned files to the new ones. `package` is the old and
    the new name of the package. `names` maps old names in code to new ones.
    """

    paths: Mapping[RelPath, RelPath] = field(default_factory=dict)
    package: tuple[str, str] = ("", "")
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_code(self) -> bool:
        """Whether a name that code may use has changed."""
        return bool(self.names) or self.package[0] != self.package[1]


class Moves(Struct, frozen=True):
    """How the user's files move when names and paths change.

    Folders move first, with all that is in them: `tree` is the project once they have, and all
    paths are those in it. `last` are the entries of the lock. `sources` maps new paths of files to
    old ones; `blocked` does so for files that cannot move because something is in the way. `known`
    maps the present path of a file to its path in `last`, if they differ: the file moves, was moved
    by its user, or is deleted. `others` is user code that no template made and that may use our
    names. `renamed` are the folders that have other names than in the lock.
    """

    tree: Tree
    last: Mapping[RelPath, Entry]
    sources: Mapping[RelPath, RelPath]
    blocked: Mapping[RelPath, RelPath]
    known: Mapping[RelPath, RelPath]
    others: frozenset[RelPath]
    renamed: Sequence[Folder]

    @property
    def targets(self) -> dict[RelPath, RelPath]:
        """The new paths of the files that move, by their old ones."""
        return {old: new for new, old in self.sources.items()}

    def recorded(self, path: RelPath) -> RelPath:
        """Return the path that the lock has for a file, even if its user has moved it."""
        if path not in self.targets:
            path = self.known.get(path, path)
        return back(path, self.renamed)


def moves(
    renames: Renames,
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    root: Path,
    language: CodeFiles,
) -> Moves:
    """Find the folders and files to move, and the code to search for old names.

    If the package is renamed, its folder moves. A folder only moves to a free path. A file also
    moves to the path of an unedited stub, or of a file that itself moves away. Raises ScaffoldError
    as `Tree.read` does.
    """
    renamed, moving, blocked = _moving_packages(renames, wanted, Tree(root))
    last = {along(path, renamed): entry for path, entry in last.items()}
    paths = {along(old, renamed): new for old, new in renames.paths.items()}
    paths = {old: new for old, new in paths.items() if old != new}
    tree = Tree(root, moving)
    for old, new in paths.items():
        if folder := _folder_of_module(old, new, tree, language):
            if tree.exists(folder.target) or tree.exists(new):
                blocked[new] = old
            else:
                moving, renamed = [*moving, folder], [*renamed, folder]
    tree = Tree(root, moving)
    present = {old: new for old, new in paths.items() if tree.exists(old)}
    moved = _moving_files(present, tree, last)
    known = {
        new: old
        for old, new in paths.items()
        if old in moved or not (new in last or tree.exists(old))
    }
    for old, new in present.items():
        if old not in moved and known.get(new) != old and _is_waited_for(old, tree, last):
            blocked[new] = old
    return Moves(
        tree=tree,
        last=last,
        sources={new: old for old, new in moved.items()},
        blocked=blocked,
        known=known,
        others=_other_code(renames, known, tree, last, language) - {*wanted, *last, *moved},
        renamed=renamed,
    )


def _moving_packages(
    renames: Renames, wanted: RenderedFiles, tree: Tree
) -> tuple[list[Folder], list[Folder], dict[RelPath, RelPath]]:
    """Return the folders of a renamed package: all, those that can move, and the blocked ones.

    The blocked folders are given by their targets.
    """
    renamed = [
        folder
        for folder in _packages(renames)
        if not any(is_within(path, folder.source) for path in wanted)
    ]
    present = [folder for folder in renamed if tree.exists(folder.source)]
    blocked = {folder.target: folder.source for folder in present if tree.exists(folder.target)}
    return renamed, [folder for folder in present if folder.target not in blocked], blocked


def _folder_of_module(old: RelPath, new: RelPath, tree: Tree, language: CodeFiles) -> Folder | None:
    """Return the folder that moves for a module which its user has turned into a package."""
    inside, target = language.package(old), language.package(new)
    if inside and target and is_replaced(tree, old, language.package):
        return Folder(_parent(inside), _parent(target))
    return None


def _moving_files(
    present: Mapping[RelPath, RelPath], tree: Tree, last: Mapping[RelPath, Entry]
) -> Mapping[RelPath, RelPath]:
    """Return the files that can move: their targets are free, or become free by another move."""
    moved = present
    while taken := [old for old, new in moved.items() if not _is_free(new, moved, tree, last)]:
        moved = {old: new for old, new in moved.items() if old not in taken}
    return moved


def _other_code(
    renames: Renames,
    known: Mapping[RelPath, RelPath],
    tree: Tree,
    last: Mapping[RelPath, Entry],
    language: CodeFiles,
) -> frozenset[RelPath]:
    """Return the code to search for old names, if a name has changed that code may use."""
    if not renames.in_code:
        return frozenset()
    owned = {path for path, entry in last.items() if entry.owner is Owner.OWNED}
    written = owned | {new for new, old in known.items() if old in owned}
    return frozenset(user_code(written, tree, language))


def _packages(renames: Renames) -> list[Folder]:
    """Return the folders of the package, if it is renamed."""
    before, now = renames.package
    pairs = set()
    for old, new in renames.paths.items() if before != now else ():
        a, b = old.split("/")[:-1], new.split("/")[:-1]
        while a and b and (a[-1], b[-1]) != (before, now):
            a.pop(), b.pop()
        if a and b:
            pairs.add((RelPath("/".join(a)), RelPath("/".join(b))))
    return [Folder(*pair) for pair in sorted(pairs)]


def _is_free(
    path: RelPath, moved: Mapping[RelPath, RelPath], tree: Tree, last: Mapping[RelPath, Entry]
) -> bool:
    """Return whether a file may move to a path."""
    if path in moved or not tree.exists(path):
        return True
    entry, file = last.get(path), tree.read(path)
    return bool(entry and file and entry.owner is Owner.OWNED and entry.holds(file))


def _is_waited_for(path: RelPath, tree: Tree, last: Mapping[RelPath, Entry]) -> bool:
    """Return whether a file that was not orphaned before may contain a person's work."""
    entry, file = last.get(path), tree.read(path)
    if entry is None or entry.orphan or entry.owner is Owner.GENERATED:
        return False
    return file is None or not entry.holds(file)


def _parent(path: RelPath) -> RelPath:
    return RelPath(path.rpartition("/")[0])


def user_code(owned: Iterable[RelPath], tree: Tree, language: CodeFiles) -> Iterator[RelPath]:
    """Yield the code files in folders where templates put files for users to edit.

    Skips links and names that are not portable.
    """
    folders = {path.rpartition("/")[0] for path in owned} - {""}
    for folder in sorted(folders):
        if any(folder.startswith(f"{other}/") for other in folders):
            continue
        for parent, _, names in os.walk(tree.root / tree.present(RelPath(folder))):
            for file in (Path(parent, name) for name in names if language.is_source(name)):
                if file.is_file() and not file.is_symlink():
                    with suppress(ValueError):
                        path = RelPath(file.relative_to(tree.root).as_posix())
                        yield along(path, tree.moving)
