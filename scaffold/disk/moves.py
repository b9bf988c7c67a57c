"""Where the user's files go when names and paths change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.disk.carry import Carried, Contents, contents
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Tree, is_replaced
from scaffold.files import Owner, RelPath, RenderedFiles
from scaffold.language import Language


@dataclass(frozen=True, slots=True)
class Renames:
    """What is called otherwise than when the project was last written.

    `paths` maps where merged and owned files lay to where they shall lie. `package` is the old and
    the new name of the package, `names` maps old names to new ones, as the code uses them.
    """

    paths: Mapping[RelPath, RelPath] = field(default_factory=dict)
    package: tuple[str, str] = ("", "")
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_code(self) -> bool:
        """Whether a name has changed that code may use."""
        return bool(self.names) or self.package[0] != self.package[1]


NONE = Renames()


@dataclass(frozen=True, slots=True)
class Moves:
    """What becomes of the user's files where names and paths change.

    `sources` tells where the files lie that move, by where they go; `blocked` tells it of those
    that cannot, since another file lies there. `known` tells by which path the lock knows a file
    that has another one now, whether it moves, has been moved by its user, or is deleted. What is
    `carried` moves without being read. `packages` are modules in whose place their users have put
    a package. `others` are code of the user that no template knows, and may use our names.
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
    renames: Renames,
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    tree: Tree,
    language: Language,
) -> Moves:
    """Find the files to move, and those to look for names in.

    A file moves only to where nothing lies, or a stub that nobody has touched, or what moves away
    itself. When the package gets another name, all that lies in it goes with ours. Raises
    ScaffoldError as `Tree.read` does, and for what cannot be moved.
    """
    root = tree.root
    paths = {old: new for old, new in renames.paths.items() if os.path.lexists(root / old)}
    by_hand = {
        old for circle in _circles(paths) if _is_exchanged(circle, root, language) for old in circle
    }
    paths = {old: new for old, new in paths.items() if old not in by_hand}
    folders = _packages(renames)
    along = _along(folders, renames, wanted, last, tree, language)
    paths = {**_orphans(folders, wanted, last, tree), **along.code, **paths}
    while taken := [old for old, new in paths.items() if not _is_free(new, paths, last, tree)]:
        paths = {old: new for old, new in paths.items() if old not in taken}
    known = _known(renames, folders, paths, last, root, language) | {
        renames.paths[old]: old for old in by_hand
    }
    waiting = {
        new: old
        for old, new in renames.paths.items()
        if old not in paths and known.get(new) != old and _is_waited_for(old, last, tree)
    }
    stuck = {new: old for old, new in along.code.items() if old not in paths}
    sources = {new: old for old, new in paths.items()}
    packages = {
        path
        for path in {*wanted, *last}
        if (inside := language.package(path)) in sources
        or (is_replaced(root, path, inside) and inside not in paths)
    }
    seen = {*wanted, *last, *paths}
    owned = {path for path, entry in last.items() if entry.owner is Owner.OWNED}
    written = owned | {new for new, old in known.items() if old in owned}
    code = user_code(written, root, language) if renames.in_code else ()
    others = frozenset(path for path in code if path not in seen)
    blocked = {**along.blocked, **stuck, **waiting}
    return Moves(sources, blocked, known, (*along.carried,), frozenset(packages), others)


def _packages(renames: Renames) -> list[tuple[str, str]]:
    """The folders of the package, before and now, so far as files are to go from one to the other."""
    found = set()
    if len({*renames.package}) == 1:
        return []
    for old, new in renames.paths.items():
        a, b = old.split("/"), new.split("/")
        while a and b and a[-1] == b[-1]:
            a.pop(), b.pop()
        while a and b and (a[-1], b[-1]) != renames.package:
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
    language: Language,
) -> Contents:
    """What the user has in folders that ours leave, and in packages that stand for handlers."""
    root = tree.root
    handlers = [
        (inside.rpartition("/")[0], target.rpartition("/")[0])
        for old, new in renames.paths.items()
        if (inside := language.package(old)) and (target := language.package(new))
        if is_replaced(root, old, inside)
    ]
    left = [
        (old, new)
        for old, new in folders
        if (root / old).is_dir() and not any(path.startswith(f"{old}/") for path in wanted)
    ]
    return contents(root, [*handlers, *left], last.__contains__, language)


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
    language: Language,
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
        if new not in last and not os.path.lexists(root / old)
        if not is_replaced(root, old, language.package(old))
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


def _is_exchanged(circle: Sequence[RelPath], root: Path, language: Language) -> bool:
    """Whether their user has made the files change places already, as their functions show."""
    names = {path: language.module(path) for path in circle}
    functions = {path: language.functions(_data(root / path)) for path in circle}
    return all(
        names[path] not in functions[path] and not functions[path].isdisjoint(names.values())
        for path in circle
    )


def _data(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


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


def user_code(owned: Iterable[RelPath], root: Path, language: Language) -> Iterator[RelPath]:
    """Yield the files of code in the folders where templates put files for users to write in.

    Links are left out, and names that no project can have.
    """
    for folder in sorted({path.rpartition("/")[0] for path in owned} - {""}):
        for parent, _, names in os.walk(root / folder):
            for file in (Path(parent, name) for name in names if language.is_source(name)):
                if file.is_file() and not file.is_symlink():
                    with suppress(ValueError):
                        yield RelPath(file.relative_to(root).as_posix())
