"""Files that move with their folder, without being read."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RelPath
from scaffold.language import Language


@dataclass(frozen=True, slots=True)
class Carried:
    """A file, a folder or a link below the root: where it lies, and where it goes.

    The paths may hold names that no template could write. Raises ValueError for those that leave
    the project, or lie in its records or in a repository's, which moves as a whole or not at all.
    """

    source: str
    target: str

    def __post_init__(self) -> None:
        both = self.source.split("/"), self.target.split("/")
        for path, parts in zip((self.source, self.target), both, strict=True):
            inside = {*map(str.casefold, parts[:-1])}
            if (*parts,) != Path(path).parts or parts[0].casefold() in (".git", ".scaffold"):
                raise ValueError(f"{path!r} is not a file of the project")
            if ".." in parts or ".git" in inside:
                raise ValueError(f"{path!r} is not a file of the project")
        if len({parts[-1].casefold() == ".git" for parts in both}) > 1:
            raise ValueError(f"{self.source!r} would become a repository")


@dataclass(frozen=True, slots=True)
class Contents:
    """What lies in folders that move: code by old path, what is carried, and what is in the way.

    `blocked` maps where something lies to what is to go there.
    """

    code: dict[RelPath, RelPath]
    carried: list[Carried]
    blocked: dict[RelPath, str]


def carry(root: Path, one: Carried) -> bool:
    """Bring a thing to its new place; False where it is gone, or something else lies there.

    Raises OSError where the disk refuses, or a link has come to lie on the way.
    """
    source, target = root / one.source, root / one.target
    if not os.path.lexists(source) or os.path.lexists(target):
        return False
    _refuse_links(root, one)
    target.parent.mkdir(parents=True, exist_ok=True)
    os.rename(source, target)
    return True


def carry_back(root: Path, one: Carried) -> bool:
    """Bring a thing back to where it was, if it is not there. Returns and raises as `carry` does."""
    return not os.path.lexists(root / one.target) or carry(root, Carried(one.target, one.source))


def contents(
    root: Path,
    folders: Sequence[tuple[str, str]],
    is_known: Callable[[str], bool],
    language: Language,
) -> Contents:
    """Find out how all that lies in folders, but for files that are known, gets to their new places.

    Later folders leave alone what earlier ones hold. Raises ScaffoldError for what cannot move.
    """
    found = Contents({}, [], {})
    problems: list[Diagnostic] = []
    seen: set[str] = set()
    for folder, target in folders:
        _sort(root, folder, target, partial(_is_either, seen, is_known), language, found, problems)
        seen.add(folder)
    if problems:
        raise ScaffoldError(problems)
    return found


def _is_either(seen: Collection[str], is_known: Callable[[str], bool], path: str) -> bool:
    return path in seen or is_known(path)


def _sort(
    root: Path,
    folder: str,
    target: str,
    is_known: Callable[[str], bool],
    language: Language,
    found: Contents,
    problems: list[Diagnostic],
) -> None:
    for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
        old, new = f"{folder}/{entry.name}", f"{target}/{entry.name}"
        taken, path = os.path.lexists(root / new), _path(new)
        if is_known(old):
            continue
        is_folder = entry.is_dir(follow_symlinks=False) and entry.name.casefold() != ".git"
        if is_folder and (taken or _has_steps(root, old, is_known, language)):
            if not language.is_cache(entry.name):
                _sort(root, old, new, is_known, language, found, problems)
        elif path and _path(old) and language.is_source(entry.name) and _is_plain(entry):
            found.code[RelPath(old)] = path
        elif stuck := [*_stuck(root, old)]:
            problems += stuck
        elif not taken:
            found.carried.append(Carried(old, new))
        elif path:
            found.blocked[path] = old
        else:
            message = f"`{new}` is there already, where another file is to go"
            hint = f"`{old}` is to go there: move one of the two away, then run again"
            problems.append(Diagnostic("no-room", message, Place(str(root / new)), hint))


def _has_steps(
    root: Path, folder: str, is_known: Callable[[str], bool], language: Language
) -> bool:
    """Whether a folder holds files that are known, or code."""
    for parent, folders, names in os.walk(root / folder):
        inside = Path(parent).relative_to(root).as_posix()
        for name in (*folders, *names):
            if language.is_source(name) or is_known(f"{inside}/{name}"):
                return True
    return False


def _is_plain(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


def _stuck(root: Path, path: str) -> Iterator[Diagnostic]:
    """Yield what keeps a file, or a folder with all that it holds, from being carried."""
    inside = [
        os.path.relpath(os.path.join(parent, name), root)
        for parent, folders, names in os.walk(root / path)
        for name in (*folders, *names)
    ]
    for one in (path, *inside):
        if why := _why_not(root, root / one):
            yield Diagnostic("cannot-move", f"`{one}` {why}", Place(str(root / one)))


def _why_not(root: Path, file: Path) -> str | None:
    """Return what keeps a file from being carried; it begins with a verb."""
    if file.lstat().st_dev != root.stat().st_dev:
        return "lies on another disk than the project"
    if file.is_symlink():
        link = os.readlink(file)
        if os.path.isabs(link) and Path(os.path.realpath(link)).is_relative_to(root.resolve()):
            return "is a link to an absolute path in the project, which moves: make it relative"
    return None


def _path(text: str) -> RelPath | None:
    try:
        return RelPath(text)
    except ValueError:
        return None


def above(path: str) -> Iterator[str]:
    """Return the folders that a path is in, from the top."""
    parts = path.split("/")
    yield from ("/".join(parts[:at]) for at in range(1, len(parts)))


def _refuse_links(root: Path, one: Carried) -> None:
    for folder in (*above(one.source), *above(one.target)):
        if (root / folder).is_symlink():
            raise OSError(f"{folder} is a symbolic link")
