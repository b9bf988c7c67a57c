"""Find where the user's files move when names and paths change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.disk.journal import Carried
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Tree, is_replaced
from scaffold.languages.language import Language


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


NONE = Renames()


class Moves(Struct, frozen=True):
    """How the user's files move when names and paths change.

    `sources` maps new paths to old ones; `blocked` does so for files that cannot move because
    another file is in the way. `known` maps the present path of a file to its path in the lock, if
    they differ: the file moves, was moved by its user, or is deleted. What is `carried` moves
    unread. `packages` are modules that users turned into packages. `others` is user code that no
    template made and that may use our names.
    """

    sources: Mapping[RelPath, RelPath]
    blocked: Mapping[RelPath, str]
    known: Mapping[RelPath, RelPath]
    carried: tuple[Carried, ...]
    packages: frozenset[RelPath]
    others: frozenset[RelPath]

    @property
    def targets(self) -> dict[RelPath, RelPath]:
        """The new paths of the files that move, by their old ones."""
        return {old: new for new, old in self.sources.items()}


def moves(
    renames: Renames,
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    tree: Tree,
    language: Language,
) -> Moves:
    """Find the files to move, and the code to search for old names.

    A file moves only to a free path: nothing is there, or an untouched stub, or a file that itself
    moves away. If the package is renamed, all files in it move. Raises ScaffoldError as `Tree.read`
    does, and for what cannot be moved.
    """
    return _Search(renames, wanted, last, tree, language).moves()


class _Contents(Struct, frozen=True):
    """The contents of folders that move: `code` by old path, and what is `carried` unread.

    `blocked` maps each occupied path to the file that should go there.
    """

    code: dict[RelPath, RelPath]
    carried: list[Carried]
    blocked: dict[RelPath, str]


class _Search(Struct, frozen=True):
    """The inputs of the search for moves."""

    renames: Renames
    wanted: RenderedFiles
    last: Mapping[RelPath, Entry]
    tree: Tree
    language: Language

    def moves(self) -> Moves:
        renames, wanted, last = self.renames, self.wanted, self.last
        package, root = self.language.package, self.tree.root
        paths = {old: new for old, new in renames.paths.items() if self._exists(old)}
        folders = self._folders()
        along = self._along(folders)
        paths = {**self._orphans(folders), **along.code, **paths}
        while taken := [old for old, new in paths.items() if not self._is_free(new, paths)]:
            paths = {old: new for old, new in paths.items() if old not in taken}
        known = self._known(folders, paths)
        waiting = {
            new: old
            for old, new in renames.paths.items()
            if old not in paths and known.get(new) != old and self._is_waited_for(old)
        }
        stuck = {new: old for old, new in along.code.items() if old not in paths}
        sources = {new: old for old, new in paths.items()}
        packages = {
            path
            for path in {*wanted, *last}
            if (sources and package(path) in sources)
            or (is_replaced(root, path, package) and package(path) not in paths)
        }
        owned = {path for path, entry in last.items() if entry.owner is Owner.OWNED}
        written = owned | {new for new, old in known.items() if old in owned}
        code = user_code(written, root, self.language) if renames.in_code else ()
        others = frozenset(code) - {*wanted, *last, *paths}
        blocked = {**along.blocked, **stuck, **waiting}
        return Moves(sources, blocked, known, (*along.carried,), frozenset(packages), others)

    def _folders(self) -> list[tuple[str, str]]:
        """Return the old and new folders of a renamed package."""
        found = set()
        if len({*self.renames.package}) == 1:
            return []
        for old, new in self.renames.paths.items():
            a, b = old.split("/"), new.split("/")
            while a and b and a[-1] == b[-1]:
                a.pop(), b.pop()
            while a and b and (a[-1], b[-1]) != self.renames.package:
                a.pop(), b.pop()
            if a and b:
                found.add(("/".join(a), "/".join(b)))
        return sorted(found)

    def _along(self, folders: Sequence[tuple[str, str]]) -> _Contents:
        """Return the user's files in abandoned folders, and in handlers that became packages."""
        package, root = self.language.package, self.tree.root
        handlers = [
            (inside.rpartition("/")[0], target.rpartition("/")[0])
            for old, new in self.renames.paths.items()
            if (inside := package(old)) and (target := package(new)) and self._is_package(old)
        ]
        left = [
            (old, new)
            for old, new in folders
            if (root / old).is_dir() and not any(path.startswith(f"{old}/") for path in self.wanted)
        ]
        found = _Contents({}, [], {})
        seen: set[str] = {*self.last}
        for folder, moved in (*handlers, *left):
            for file in _leaves(root, folder):
                if file not in seen:
                    self._sort(file, f"{moved}{file.removeprefix(folder)}", found)
                    seen.add(file)
        return found

    def _sort(self, old: str, new: str, found: _Contents) -> None:
        """Add a file in a folder that moves: as code to rewrite, or to carry along unread."""
        taken, path, file = self._exists(new), _path(new), self.tree.root / old
        is_code = self.language.is_source(old) and file.is_file() and not file.is_symlink()
        if is_code and path and _path(old):
            found.code[RelPath(old)] = path
        elif not taken:
            found.carried.append(Carried(old, new))
        elif path and not any(map(self.language.is_cache, old.split("/"))):
            found.blocked[path] = old

    def _left(self, folders: Iterable[tuple[str, str]]) -> dict[RelPath, RelPath]:
        """Return the new path of each file of the lock that is in an abandoned folder."""
        return {
            old: RelPath(target + old.removeprefix(folder))
            for folder, target in folders
            for old in self.last
            if old.startswith(f"{folder}/")
        }

    def _orphans(self, folders: Iterable[tuple[str, str]]) -> dict[RelPath, RelPath]:
        """Return the moves of edited files in abandoned folders that nothing asks for."""
        return {
            old: new
            for old, new in self._left(folders).items()
            if not {old, new} & self.wanted.keys() and self._exists(old) and self._is_edited(old)
        }

    def _known(
        self, folders: Iterable[tuple[str, str]], paths: Mapping[RelPath, RelPath]
    ) -> dict[RelPath, RelPath]:
        """Return the path in the lock of each file that has another path now."""
        found = {
            new: old
            for old, new in {**self._left(folders), **self.renames.paths}.items()
            if new not in self.last and not self._exists(old) and not self._is_package(old)
        }
        return found | {new: old for old, new in paths.items()}

    def _exists(self, path: str) -> bool:
        return os.path.lexists(self.tree.root / path)

    def _is_package(self, path: RelPath) -> bool:
        """Return whether someone has turned a module into a package."""
        return is_replaced(self.tree.root, path, self.language.package)

    def _is_edited(self, path: RelPath) -> bool:
        """Return whether a file that is no longer wanted may hold a person's work."""
        entry, found = self.last[path], self.tree.read(path)
        return entry.owner is not Owner.GENERATED and (
            found is None or found.sha256 != entry.sha256
        )

    def _is_waited_for(self, path: RelPath) -> bool:
        """Return whether a file in use until now may hold a person's work."""
        entry = self.last.get(path)
        is_used = entry is not None and not entry.orphan
        return is_used and self._exists(path) and self._is_edited(path)

    def _is_free(self, path: RelPath, paths: Mapping[RelPath, RelPath]) -> bool:
        """Return whether a file may move to a path."""
        if path in paths or not self._exists(path):
            return True
        entry, found = self.last.get(path), self.tree.read(path)
        return bool(entry and found and entry.owner is Owner.OWNED and found.sha256 == entry.sha256)


def _leaves(root: Path, folder: str) -> list[str]:
    """Return the files, links and empty folders in a folder."""
    found = []
    for parent, folders, names in os.walk(root / folder):
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        inside = Path(parent).relative_to(root).as_posix()
        found += [f"{inside}/{name}" for name in (*links, *names)]
        if not (folders or names):
            found.append(inside)
    return sorted(found)


def _path(text: str) -> RelPath | None:
    try:
        return RelPath(text)
    except ValueError:
        return None


def user_code(owned: Iterable[RelPath], root: Path, language: Language) -> Iterator[RelPath]:
    """Yield the code files in folders where templates put files for users to edit.

    Skips links and names that are not portable.
    """
    for folder in sorted({path.rpartition("/")[0] for path in owned} - {""}):
        for parent, _, names in os.walk(root / folder):
            for file in (Path(parent, name) for name in names if language.is_source(name)):
                if file.is_file() and not file.is_symlink():
                    with suppress(ValueError):
                        yield RelPath(file.relative_to(root).as_posix())
