"""Change many files atomically, with a journal that lets the next run recover an interrupted one.

New contents are staged, then the journal is written: it has the old and the new hash of each path.
Replaced files are kept in the stage until the last change is made, so every change can be undone.
Removing the journal commits the run. A file with contents other than those in the journal belongs
to a person and is never touched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import msgspec
from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RECORDS, RelPath, is_reserved
from scaffold.disk.lock import as_path
from scaffold.disk.records import JOURNAL, LOCK, REPLACED, RUN, STAGE
from scaffold.disk.swap import file_hash, swap, write_like
from scaffold.disk.tree import Folder, Snapshot, Tree, back, changed


class Change(Struct, frozen=True):
    """A change of a file from the contents `before` to `after`, where None means no file.

    A new file gets the permissions `mode`, less the umask; any other gets `mode` as it is, or keeps
    its own. `moved_to` is the new path of the file that was here before.
    """

    path: RelPath
    before: Snapshot | None
    after: bytes | None
    mode: int | None = None
    moved_to: RelPath | None = None


class Line(Struct, frozen=True):
    """One change in the journal, with hashes for contents; see `Change`.

    The new file waits at `staged`; the old one is kept at `kept`.
    """

    number: int
    path: RelPath
    before: str | None
    after: str | None
    moved_to: RelPath | None

    @property
    def staged(self) -> RelPath:
        return RelPath(f"{STAGE}/{self.number}")

    @property
    def kept(self) -> RelPath:
        return RelPath(f"{STAGE}/{self.number}.old")


class Journal(Struct, frozen=True):
    """The changes of a run, and the hash of the lock it was planned from.

    The folders in `moving` move first: other paths are those in the project after that.
    """

    lock: str | None = None
    lines: tuple[Line, ...] = ()
    moving: tuple[Folder, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether the run may have made changes."""
        return bool(self.lines or self.moving)

    @property
    def locks(self) -> set[str | None]:
        """The hashes that the project's lock can have during the run."""
        return {self.lock, *(line.after for line in self.lines if line.path == LOCK)}


def pending(root: Path) -> bool:
    """Return whether a run on the project was interrupted or is still running."""
    return os.path.lexists(root / JOURNAL) or os.path.lexists(root / STAGE)


def read(tree: Tree) -> Journal:
    """Read the journal; return an empty one if the run has not made changes yet.

    Raises ScaffoldError (`journal-broken`) if it is invalid.
    """
    file = tree.read(JOURNAL)
    try:
        data = file.data if file else b"{}"
        return msgspec.json.decode(data, type=Journal, dec_hook=as_path)
    except (ValueError, RecursionError) as error:
        message = f"cannot undo an unfinished run: {error}"
        hint = f"move `{RUN}` away (it has the files that the run replaced), then run again"
        raise ScaffoldError.of("journal-broken", message, tree.root / JOURNAL, hint) from error


def commit(root: Path, changes: Sequence[Change], moving: Sequence[Folder] = ()) -> None:
    """Stage the changes and write the journal: from then on they are made or undone.

    Writes nothing outside `.scaffold/`. Raises OSError, and leaves nothing behind, if the disk
    refuses.
    """
    stage, journal = root / STAGE, root / JOURNAL
    stage.mkdir(parents=True)
    try:
        for number, change in enumerate(changes):
            if change.after is not None:
                staged, mode = stage / str(number), change.mode
                write_like(staged, change.after, None, 0o666 if mode is None else mode)
                if change.before:
                    os.chmod(staged, change.before.mode if mode is None else mode)
        lines = tuple(_line(number, change) for number, change in enumerate(changes))
        planned = Journal(file_hash(root / LOCK), lines, tuple(moving))
        write_like(stage / journal.name, msgspec.json.encode(planned, enc_hook=str), None, 0o666)
        _sync(stage)
        os.replace(stage / journal.name, journal)
        _sync(root / RUN)
        _sync(root / RECORDS)  # the folder of the run may be new
    except BaseException:
        if not journal.exists():
            shutil.rmtree(stage)
        raise


def finish(root: Path) -> None:
    """Make the changes of the journal in order, and clean up.

    Raises ScaffoldError at the first change that cannot be made: `changed-meanwhile` if someone has
    saved the file since the run was planned, `cannot-write` if the system refuses. The caller must
    then undo the earlier ones.
    """
    tree = Tree(root)
    journal = read(tree)
    todo = [(folder.source, partial(_move, root, folder)) for folder in journal.moving]
    todo += [(line.path, partial(_make, tree, line)) for line in journal.lines]
    for path, make in todo:
        try:
            is_done = make()
        except OSError as error:
            message = f"cannot write `{path}`: {error.strerror or error}"
            hint = "nothing was changed: make it writable, then run again"
            raise ScaffoldError.of("cannot-write", message, root / path, hint) from error
        if not is_done:
            raise ScaffoldError([changed(path, root)])
    for line in journal.lines:  # final check: later saves count as made after the run
        if _hash(tree, line.path) != line.after or _hash(tree, line.kept) != line.before:
            raise ScaffoldError([changed(line.path, root)])
    _clear(root, journal)


def undo(root: Path) -> tuple[str, ...]:
    """Restore what was there before the run that the journal describes, and clean up.

    Returns the paths left alone because someone has edited them since. If there are any, what the
    run had replaced is kept in `REPLACED`. A file that was edited at its new path is not restored
    at its old path. The backup of a forced file stays if that file was edited. Raises
    ScaffoldError (`journal-broken`) for an invalid journal, and OSError if the disk refuses: the
    rest can then be undone later.
    """
    tree = Tree(root)
    journal = read(tree)
    lines = () if any(_is_to_move(root, folder) for folder in journal.moving) else journal.lines
    edited = [line for line in lines if _is_edited(tree, line)]
    left = {line.path for line in edited}
    placed = {line.path for line in edited if _hash(tree, line.staged) != line.after}
    originals = tuple(f"{path}.orig" for path in placed)  # of files that were forced
    stay = left | {line.path for line in lines if line.path.startswith(originals)}
    for line in reversed(lines):
        if line.after is None and line.moved_to in placed:
            _make(tree, line)
        elif line.path not in stay and not (_unmake(tree, line) or is_reserved(line.path)):
            left.add(line.path)
    _remove_empty(root, journal)
    for folder in reversed(journal.moving):
        if _move(root, Folder(folder.target, folder.source)):
            left = {back(path, [folder]) for path in left}
        elif _exists(root, folder.target):
            left.add(folder.target)
    if left and _exists(root, STAGE):
        names = (f"{REPLACED}-{number}" for number in count(1))
        os.rename(root / STAGE, root / next(name for name in names if not _exists(root, name)))
    _clear(root, journal)
    return tuple(sorted(left))


def _make(tree: Tree, line: Line) -> bool:
    """Make a change; return False if the file is not as it was when the run was planned."""
    return _exchange(tree, line, line.before, line.after)


def _unmake(tree: Tree, line: Line) -> bool:
    """Undo a change; return False if someone saves the file at that moment."""
    if line.before == line.after and not tree.exists(line.kept):
        return True  # only its permissions should change, and have not yet
    return _exchange(tree, line, line.after, line.before)


def _exchange(tree: Tree, line: Line, expected: str | None, wanted: str | None) -> bool:
    """Replace the file with the hash `was` by the one with the hash `now` from the stage."""
    present = _hash(tree, line.path)
    if present != expected:
        return present == wanted
    target, new, out = (tree.root / path for path in (line.path, line.staged, line.kept))
    if wanted is not None and file_hash(new) != wanted:
        new, out = out, new
        if file_hash(new) != wanted:
            return True  # someone has made the same change
    target.parent.mkdir(parents=True, exist_ok=True)
    return swap(target, None if wanted is None else new, out, expected)


def _move(root: Path, folder: Folder) -> bool:
    """Move a folder; return False if it is gone or its new path is taken."""
    if not _is_to_move(root, folder):
        return False
    (root / folder.target).parent.mkdir(parents=True, exist_ok=True)
    os.rename(root / folder.source, root / folder.target)
    return True


def _is_to_move(root: Path, folder: Folder) -> bool:
    return _exists(root, folder.source) and not _exists(root, folder.target)


def _is_edited(tree: Tree, line: Line) -> bool:
    """Return whether someone has edited, replaced or removed the file since the run was planned.

    Our records do not count: they contain no work of a person.
    """
    known = (line.before, line.after)
    return not is_reserved(line.path) and _hash(tree, line.path) not in known


def _clear(root: Path, journal: Journal) -> None:
    """Commit: make the changes survive a power cut, then remove the journal and the stage."""
    _remove_empty(root, journal)
    for name in sorted({"", *_folders(journal)}):
        if (root / name).is_dir():
            _sync(root / name)
    (root / JOURNAL).unlink(missing_ok=True)
    if _exists(root, STAGE):
        _sync(root / RUN)  # the files kept there must not be removed before the journal
        shutil.rmtree(root / STAGE)


def _remove_empty(root: Path, journal: Journal) -> None:
    """Remove the folders that changes have left empty."""
    for name in sorted(_folders(journal), reverse=True):
        with suppress(OSError):
            (root / name).rmdir()


def _folders(journal: Journal) -> set[str]:
    """Return the folders that contain what the run changes."""
    paths = [line.path for line in journal.lines]
    paths += [path for folder in journal.moving for path in (folder.source, folder.target)]
    return {folder for path in paths for folder in path.folders}


def _line(number: int, change: Change) -> Line:
    before = None if change.before is None else _sha256(change.before.data)
    after = None if change.after is None else _sha256(change.after)
    return Line(number, change.path, before, after, change.moved_to)


def _hash(tree: Tree, path: RelPath) -> str | None:
    """Return the hash of the exact bytes: here a changed line end counts."""
    file = tree.read(path)
    return None if file is None else _sha256(file.data)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _exists(root: Path, path: str) -> bool:
    return os.path.lexists(root / path)


def _sync(folder: Path) -> None:
    """Make the names in a folder survive a power cut, if the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
