"""Write a new project to disk, completely or not at all.

A new folder needs no plan and no journal. Their modules are imported only for other folders:
that would take 5 % of the time of creating a small project.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RECORDS, RelPath, RenderedFiles
from scaffold.disk.lock import Lock, bases_of, packed
from scaffold.disk.records import BASES, LOCK, RUN, RUN_LOCK, Metadata
from scaffold.disk.tree import Tree, reported

_BEFORE = re.compile(r"\.git(ignore)?|(README|LICEN[CS]E|COPYING|NOTICE)(\.\w+)?", re.IGNORECASE)
"""The files that a repository may have before there is any code in it."""


def create(
    files: RenderedFiles, lock: Lock, dest: Path, metadata: Metadata = MappingProxyType({})
) -> tuple[RelPath, ...]:
    """Write the files, `metadata` and `lock` as the new project `dest`; return those that existed.

    If `dest` does not exist, the project is prepared in a hidden folder beside it and renamed into
    place: it is complete or absent, however the run ends. An existing empty folder is filled in
    place, since a shell may be open in it; the next run starts over after an interrupted one. A new
    repository is filled in place, too. Its README, LICENSE and .gitignore stay as they are: later
    changes of the templates are merged into them. Raises ScaffoldError if `dest` is anything else,
    or if the disk refuses.
    """
    dest = Path(os.path.abspath(dest))
    with reported("cannot-write", dest):
        if os.path.lexists(dest):
            from scaffold.disk.apply import apply
            from scaffold.disk.plan import fresh

            refuse_unless_vacant(dest)
            tree = Tree(dest)
            present = {path: here for path in files if (here := tree.read(path))}
            apply(fresh(files, present), dest, lock, metadata=metadata)
            return tuple(present)
        dest.parent.mkdir(parents=True, exist_ok=True)
        _prepare_and_rename(files, lock, dest, metadata)
    return ()


def _prepare_and_rename(files: RenderedFiles, lock: Lock, dest: Path, metadata: Metadata) -> None:
    with TemporaryDirectory(prefix=f".{dest.name}.new-", dir=dest.parent) as hidden:
        tree = Path(hidden) / dest.name
        ours = {BASES: packed(bases_of(files)), LOCK: lock.text(), **metadata}
        for folder in {path.rpartition("/")[0] for path in (*ours, *files)}:
            (tree / folder).mkdir(parents=True, exist_ok=True)
        for path, content in ours.items():
            if content is not None:
                _write(tree / path, content)
        for path, file in files.items():
            _write(tree / path, file.content, 0o777 if file.executable else 0o666)
        try:
            tree.rename(dest)
        except OSError:
            if os.path.lexists(dest):  # another run was faster
                refuse_unless_vacant(dest)
            raise


def _write(file: Path, content: str | bytes, mode: int = 0o666) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def refuse_unless_vacant(dest: Path) -> None:
    """Raise ScaffoldError unless `dest` does not exist, is empty, or is a new repository."""
    if not os.path.lexists(dest):
        return
    id, hint = "dest-not-empty", "choose another directory"
    if dest.is_symlink():
        id, message = "symlink", f"`{dest}` is a symbolic link"
    elif not dest.is_dir():
        message = f"`{dest}` is a file"
    elif _is_vacant(dest):
        return
    else:
        message = f"`{dest}` is not empty"
        if (dest / LOCK).exists():
            hint = "to update an existing project, run `mcp-scaffold regenerate` in it"
    raise ScaffoldError.of(id, message, dest, hint)


def _is_vacant(dest: Path) -> bool:
    """Return whether a folder is empty or a new repository; undo any interrupted run in it."""
    from scaffold.disk.apply import recover

    recover(dest)
    files = (path for path in dest.iterdir() if not _BEFORE.fullmatch(path.name))
    below = (path for file in files for path in (file, *file.rglob("*")))
    left = (RECORDS, RUN, RUN_LOCK, f"{RUN}/.gitignore")
    return all(path.relative_to(dest).as_posix() in left for path in below)
