"""The files of an untrusted folder, each checked: no links, no git folders, no clashing paths."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import RelPath, is_too_long, path_key
from scaffold.disk.tree import failure, reported

_OF_COPIER = re.compile('[<>|"?*:]')
"""Characters of expressions in the names of copier's templates, which no rendered file has."""

Files = Mapping[str, bytes]
"""The contents of files, by path with `/`."""


def read_files(folder: Path, at: str, paths: Iterable[str] | None = None) -> Files:
    """Read the files at `paths` in a folder, by default all; messages call it `at`.

    Raises ScaffoldError as `check_paths` does, and for unreadable files.
    """
    paths = _paths(folder) if paths is None else paths
    checked = check_paths(((path, os.lstat(folder / path).st_mode) for path in paths), at)
    try:
        return {path: (folder / path).read_bytes() for path in checked}
    except OSError as error:
        raise failure("unreadable-file", Path(error.filename), error) from error


def check_paths(paths: Iterable[tuple[str, int]], at: str) -> list[str]:
    """Check files in the folder `at`, given as path and mode.

    Raises ScaffoldError with every fault.

    Files are refused if they could reach beyond the pack: links (`pack-link`); paths that leave the
    folder or lead into `.git`, whose hooks and settings run (`pack-escape`); paths that are equal
    on some file systems (`pack-clash`).
    """
    modes = dict(paths)
    faults = [fault for path, mode in modes.items() if (fault := _fault(path, mode, at))]
    faults += _clashes(modes, at)
    if faults:
        raise ScaffoldError(faults)
    return sorted(modes)


def write_files(files: Mapping[str, str | bytes], folder: Path) -> None:
    """Write checked files to a folder. Raises ScaffoldError (`cannot-write`) if the disk refuses."""
    with reported("cannot-write", folder):
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data.encode() if isinstance(data, str) else data)


def _paths(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        for name in sorted(names + [name for name in folders if Path(parent, name).is_symlink()]):
            yield Path(parent, name).relative_to(folder).as_posix()


def _fault(path: str, mode: int, at: str) -> Diagnostic | None:
    place = Place(f"{at}/{path}")
    if stat.S_ISLNK(mode):
        return Diagnostic("pack-link", f"`{path}` is a link", place, "replace it with a file")
    if not stat.S_ISREG(mode):
        message = f"`{path}` is not a regular file"
        return Diagnostic("pack-link", message, place, "remove it; submodules are not supported")
    try:
        RelPath(_OF_COPIER.sub("x", path))
    except ValueError as error:
        return Diagnostic("pack-escape", str(error), place)
    if is_too_long(path):
        return Diagnostic("pack-escape", f"`{path}` is too long for some systems", place)
    return None


def _clashes(paths: Iterable[str], at: str) -> Iterator[Diagnostic]:
    seen: dict[str, str] = {}
    for path in paths:
        first = seen.setdefault(path_key(path), path)
        if first is not path:
            message = f"`{first}` and `{path}` are the same file on some systems"
            yield Diagnostic("pack-clash", message, Place(f"{at}/{path}"), "rename one of them")
    for path in seen.values():
        for folder in map(str, PurePosixPath(path).parents):
            if file := seen.get(path_key(folder)):
                message = f"`{file}` is a file where `{path}` needs a directory"
                yield Diagnostic("pack-clash", message, Place(f"{at}/{path}"), "rename one of them")
