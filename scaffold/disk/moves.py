"""Where the user's files go when names and paths change."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.disk.carry import Carried, Contents, contents
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Tree
from scaffold.files import Owner, RelPath, RenderedFiles
from scaffold.python.packages import is_package, package
from scaffold.python.refactor.names import Names


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
    that cannot, since another file lies there. `known` tells by which path the lock knows a file
    that has another one now, whether it moves, has been moved by its user, or is deleted. What is
    `carried` moves without being read. `packages` are modules in whose place their users have put
    a package. `others` are Python files of the user that no template knows, and may use our names.
    """

    sources: Mapping[RelPath, RelPath]
    blocked: Mapping[RelPath, str]
    known: Mapping[RelPath, RelPath]
    carried: tuple[Carried, ...]
    packages: frozenset[RelPath]
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
    itself. When the package gets another name, all that lies in it goes with ours. Raises
    ScaffoldError as `Tree.read` does, and for what cannot be moved.
    """
    root = tree.root
    paths = {old: new for old, new in renames.paths.items() if os.path.lexists(root / old)}
    by_hand = {old for circle in _circles(paths) if _is_exchanged(circle, root) for old in circle}
    paths = {old: new for old, new in paths.items() if old not in by_hand}
    folders = _packages(renames)
    along = _along(folders, renames, wanted, last, tree)
    paths = {**_orphans(folders, wanted, last, tree), **along.python, **paths}
    while taken := [old for old, new in paths.items() if not _is_free(new, paths, last, tree)]:
        paths = {old: new for old, new in paths.items() if old not in taken}
    known = _known(renames, folders, paths, last, root) | {
        renames.paths[old]: old for old in by_hand
    }
    waiting = {
        new: old
        for old, new in renames.paths.items()
        if old not in paths and known.get(new) != old and _is_waited_for(old, last, tree)
    }
    stuck = {new: old for old, new in along.python.items() if old not in paths}
    sources = {new: old for old, new in paths.items()}
    modules = {path for path in (*wanted, *last) if path.endswith(".py")}
    packages = {
        path
        for path in modules
        if (inside := package(path)) in sources or (is_package(root, path) and inside not in paths)
    }
    seen = {*wanted, *last, *paths}
    owned = {path for path, entry in last.items() if entry.owner is Owner.OWNED}
    written = owned | {new for new, old in known.items() if old in owned}
    python = user_python(written, root) if renames.names else ()
    others = frozenset(path for path in python if path not in seen)
    blocked = {**along.blocked, **stuck, **waiting}
    return Moves(sources, blocked, known, (*along.carried,), frozenset(packages), others)


def _packages(renames: Renames) -> list[tuple[str, str]]:
    """The folders of the package, before and now, so far as files are to go from one to the other."""
    found = set()
    if len({*renames.names.package}) == 1:
        return []
    for old, new in renames.paths.items():
        a, b = old.split("/"), new.split("/")
        while a and b and a[-1] == b[-1]:
            a.pop(), b.pop()
        while a and b and (a[-1], b[-1]) != renames.names.package:
            a.pop(), b.pop()
        if a and b:
            found.add(("/".join(a), "/".join(b)))
    return sorted(found)


def _along(
    folders: Sequence[tuple[str, str]],
    renames: Renames,
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    tree: Tree,
) -> Contents:
    """What the user has in folders that ours leave, and in packages that stand for handlers."""
    root = tree.root
    handlers = [(o[:-3], n[:-3]) for o, n in renames.paths.items() if is_package(root, o)]
    left = [
        (old, new)
        for old, new in folders
        if (root / old).is_dir() and not any(path.startswith(f"{old}/") for path in wanted)
    ]
    return contents(root, [*handlers, *left], last.__contains__)


def _orphans(
    folders: Iterable[tuple[str, str]],
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    tree: Tree,
) -> dict[RelPath, RelPath]:
    """Files in folders that ours leave which nothing asks for, and which hold a person's work."""
    found = {
        old: RelPath(target + old.removeprefix(folder))
        for folder, target in folders
        for old in last
        if old.startswith(f"{folder}/") and old not in wanted
    }
    return {
        old: new
        for old, new in found.items()
        if new not in wanted
        and os.path.lexists(tree.root / old)
        and _is_edited(old, last[old], tree)
    }


def _known(
    renames: Renames,
    folders: Iterable[tuple[str, str]],
    paths: Mapping[RelPath, RelPath],
    last: Mapping[RelPath, Entry],
    root: Path,
) -> dict[RelPath, RelPath]:
    """The paths in the lock of files that have other ones, by these."""
    gone = {
        old: RelPath(target + old.removeprefix(folder))
        for folder, target in folders
        for old in last
        if old.startswith(f"{folder}/")
    } | dict(renames.paths)
    found = {
        new: old
        for old, new in gone.items()
        if new not in last and not os.path.lexists(root / old) and not is_package(root, old)
    }
    return found | {new: old for old, new in paths.items()}


def _circles(paths: Mapping[RelPath, RelPath]) -> Iterator[tuple[RelPath, ...]]:
    """Files of which each is to take the place of the next, and the last that of the first."""
    seen: set[RelPath] = set()
    for start in paths:
        trail = [start]
        while (following := paths.get(trail[-1])) and following not in (*trail, *seen):
            trail.append(following)
        if following == start:
            seen.update(trail)
            yield tuple(trail)


def _is_exchanged(circle: Sequence[RelPath], root: Path) -> bool:
    """Whether their user has made the files change places already, as their functions show."""
    stems = {path.rpartition("/")[2].removesuffix(".py") for path in circle}
    return all(
        _functions(root / path).isdisjoint({path.rpartition("/")[2].removesuffix(".py")})
        and not _functions(root / path).isdisjoint(stems)
        for path in circle
    )


def _functions(file: Path) -> frozenset[str]:
    """The functions that a Python file defines."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    defined = (one for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(one.name for one in defined)


def _is_edited(path: RelPath, entry: Entry, tree: Tree) -> bool:
    """Whether a file that is no longer asked for may hold a person's work."""
    found = tree.read(path)
    return entry.owner is not Owner.GENERATED and (found is None or found.sha256 != entry.sha256)


def _is_waited_for(path: RelPath, last: Mapping[RelPath, Entry], tree: Tree) -> bool:
    """Whether a file that was in use until now may hold a person's work."""
    entry = last.get(path)
    there = os.path.lexists(tree.root / path)
    return there and entry is not None and not entry.orphan and _is_edited(path, entry, tree)


def _is_free(
    path: RelPath, paths: Mapping[RelPath, RelPath], last: Mapping[RelPath, Entry], tree: Tree
) -> bool:
    """Whether a file may move to a path."""
    if path in paths or not os.path.lexists(tree.root / path):
        return True
    entry, found = last.get(path), tree.read(path)
    return bool(entry and found and entry.owner is Owner.OWNED and found.sha256 == entry.sha256)


def user_python(owned: Iterable[RelPath], root: Path) -> Iterator[RelPath]:
    """The Python files in the folders where templates put files for users to write in."""
    for folder in sorted({path.rpartition("/")[0] for path in owned} - {""}):
        yield from _python(root, folder)


def _python(root: Path, folder: str) -> Iterator[RelPath]:
    """The Python files below a folder that a project can have; links are left out."""
    for parent, _, names in os.walk(root / folder):
        for name in names:
            file = Path(parent, name)
            if name.endswith(".py") and file.is_file() and not file.is_symlink():
                try:
                    yield RelPath(file.relative_to(root).as_posix())
                except ValueError:
                    continue
