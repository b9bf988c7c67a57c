"""Move files along with their folder, without reading them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RelPath
from scaffold.language import Language


class Carried(Struct, frozen=True):
    """A file, folder or link below the root, and the path it moves to.

    The paths may hold names that no template could write.
    """

    source: str
    target: str


class Contents(Struct, frozen=True):
    """The contents of folders that move: `code` by old path, and what is `carried` unread.

    `blocked` maps each occupied path to the file that should go there.
    """

    code: dict[RelPath, RelPath]
    carried: list[Carried]
    blocked: dict[RelPath, str]


def carry(root: Path, one: Carried) -> bool:
    """Move a file or folder; return False if it is gone or its new path is taken.

    Raises OSError if the system refuses, or if a folder on the way is a symbolic link.
    """
    source, target = root / one.source, root / one.target
    if not os.path.lexists(source) or os.path.lexists(target):
        return False
    _refuse_links(root, one)
    target.parent.mkdir(parents=True, exist_ok=True)
    os.rename(source, target)
    return True


def carry_back(root: Path, one: Carried) -> bool:
    """Move a file or folder back, if it has moved. Returns and raises as `carry` does."""
    return not os.path.lexists(root / one.target) or carry(root, Carried(one.target, one.source))


def contents(
    root: Path,
    folders: Sequence[tuple[str, str]],
    is_known: Callable[[str], bool],
    language: Language,
) -> Contents:
    """Find how everything in the old folders moves to the new ones, except known files.

    Later folders skip what earlier ones hold. Raises ScaffoldError for what cannot move.
    """
    search = _Search(root, is_known, language)
    for folder, target in folders:
        search.sort(folder, target)
        search.seen.add(folder)
    if search.problems:
        raise ScaffoldError(search.problems)
    return search.found


class _Search(Struct, frozen=True):
    """A search through folders: its parameters and results."""

    root: Path
    is_known: Callable[[str], bool]
    language: Language
    found: Contents = field(default_factory=lambda: Contents({}, [], {}))
    problems: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def sort(self, folder: str, target: str) -> None:
        """Classify the contents of `folder` by how they move to `target`."""
        root, language = self.root, self.language
        for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
            old, new = f"{folder}/{entry.name}", f"{target}/{entry.name}"
            taken, path = os.path.lexists(root / new), _path(new)
            if self._stays(old):
                continue
            is_file = entry.is_file(follow_symlinks=False)
            is_folder = entry.is_dir(follow_symlinks=False) and entry.name.casefold() != ".git"
            if is_folder and (taken or self._has_steps(old)):
                if not language.is_cache(entry.name):
                    self.sort(old, new)
            elif path and _path(old) and language.is_source(entry.name) and is_file:
                self.found.code[RelPath(old)] = path
            elif stuck := [*_stuck(root, old)]:
                self.problems.extend(stuck)
            elif not taken:
                self.found.carried.append(Carried(old, new))
            elif path:
                self.found.blocked[path] = old
            else:
                message = f"`{new}` already exists, but another file should move there"
                hint = f"move it or `{old}` away, then run again"
                place = Place(str(root / new))
                self.problems.append(Diagnostic("no-room", message, place, hint))

    def _stays(self, path: str) -> bool:
        return path in self.seen or self.is_known(path)

    def _has_steps(self, folder: str) -> bool:
        """Return whether a folder holds known files or code."""
        for parent, folders, names in os.walk(self.root / folder):
            inside = Path(parent).relative_to(self.root).as_posix()
            for name in (*folders, *names):
                if self.language.is_source(name) or self._stays(f"{inside}/{name}"):
                    return True
        return False


def _stuck(root: Path, path: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each file in `path`, itself included, that cannot be carried."""
    inside = [
        os.path.relpath(os.path.join(parent, name), root)
        for parent, folders, names in os.walk(root / path)
        for name in (*folders, *names)
    ]
    for one in (path, *inside):
        if why := _why_not(root, root / one):
            yield Diagnostic("cannot-move", f"`{one}` {why}", Place(str(root / one)))


def _why_not(root: Path, file: Path) -> str | None:
    """Return why a file cannot be carried, as a phrase that begins with a verb."""
    if file.lstat().st_dev != root.stat().st_dev:
        return "is on another file system than the project"
    if file.is_symlink():
        link = os.readlink(file)
        if os.path.isabs(link) and Path(os.path.realpath(link)).is_relative_to(root.resolve()):
            return "is an absolute symbolic link into the project, which moves: make it relative"
    return None


def _path(text: str) -> RelPath | None:
    try:
        return RelPath(text)
    except ValueError:
        return None


def above(path: str) -> Iterator[str]:
    """Yield the folders that contain a path, outermost first."""
    parts = path.split("/")
    yield from ("/".join(parts[:at]) for at in range(1, len(parts)))


def _refuse_links(root: Path, one: Carried) -> None:
    for folder in (*above(one.source), *above(one.target)):
        if (root / folder).is_symlink():
            raise OSError(f"{folder} is a symbolic link")
