"""Change many files atomically, with a journal that lets the next run undo an interrupted one.

New contents are staged, then the journal is written: it says what each path held and will hold.
Replaced files are kept in the stage until the last change is made. Removing the journal commits the
run. If a run is killed before that, the next one undoes its changes. A file with contents other
than those in the journal belongs to a person and is never touched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.carry import Carried, above, carry, carry_back
from scaffold.disk.lock import as_path
from scaffold.disk.records import JOURNAL, LOCK, RUN, STAGE
from scaffold.disk.swap import file_hash, swap
from scaffold.disk.tree import Snapshot, Tree
from scaffold.files import RECORDS, RelPath, is_reserved


class Change(Struct, frozen=True):
    """A change of a file from the contents `before` to `after`, where None means no file.

    A new file gets the permissions `mode`, less the umask; any other keeps its own. `needs` is the
    path of an earlier change that this one depends on.
    """

    path: RelPath
    before: Snapshot | None
    after: bytes | None
    needs: RelPath | None = None
    mode: int = 0o666


class Line(Struct, frozen=True):
    """One change in the journal, with hashes for contents; see `Change`.

    The new file waits at `staged`; the old one is kept at `kept`.
    """

    number: int
    path: RelPath
    before: str | None
    after: str | None
    needs: RelPath | None

    @property
    def staged(self) -> RelPath:
        return RelPath(f"{STAGE}/{self.number}")

    @property
    def kept(self) -> RelPath:
        return RelPath(f"{STAGE}/{self.number}.old")

    @property
    def states(self) -> tuple[str | None, str | None]:
        """The hashes that the file can have unless someone has edited it."""
        return self.before, self.after


class Journal(Struct, frozen=True):
    """The changes of a run, and the hash of the lock it was planned from.

    What is `carried` moves first, unread.
    """

    lock: str | None = None
    lines: tuple[Line, ...] = ()
    carried: tuple[Carried, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether the run may have made changes."""
        return bool(self.lines or self.carried)

    @property
    def locks(self) -> set[str | None]:
        """The hashes that the project's lock can have during the run."""
        return {self.lock, *(line.after for line in self.lines if line.path == LOCK)}


class SavedMeanwhileError(Exception):
    """Someone saved a file just before the run could change it."""

    def __init__(self, path: str) -> None:
        self.path = path


class RefusedError(Exception):
    """The system refused to replace a file."""

    def __init__(self, path: str, error: OSError) -> None:
        self.path, self.error = path, error


def pending(root: Path) -> bool:
    """Return whether a run on the project was interrupted or is still running."""
    return os.path.lexists(root / JOURNAL) or os.path.lexists(root / STAGE)


def read(tree: Tree) -> Journal:
    """Read the journal; return an empty one if the run has not made changes yet.

    Raises ScaffoldError (`journal-broken`) if it is invalid.
    """
    found = tree.read(JOURNAL)
    try:
        return (
            msgspec.json.decode(found.data, type=Journal, dec_hook=as_path) if found else Journal()
        )
    except (ValueError, RecursionError) as error:
        message, hint = f"cannot undo an unfinished run: {error}", f"delete {JOURNAL} and run again"
        raise ScaffoldError.of("journal-broken", message, tree.root / JOURNAL, hint) from error


def commit(root: Path, changes: Sequence[Change], carried: Sequence[Carried] = ()) -> None:
    """Stage the changes and write the journal: from then on they are made or undone.

    Writes nothing outside `.scaffold/`. Raises OSError, and leaves nothing behind, if the disk
    refuses.
    """
    stage, journal = root / STAGE, root / JOURNAL
    stage.mkdir(parents=True)
    try:
        for number, change in enumerate(changes):
            if change.after is not None:
                _write(stage / str(number), change.after, change.mode)
                if change.before:
                    os.chmod(stage / str(number), change.before.mode)
        lines = tuple(_line(number, change) for number, change in enumerate(changes))
        planned = Journal(file_hash(root / LOCK), lines, tuple(carried))
        _write(stage / journal.name, msgspec.json.encode(planned, enc_hook=str))
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

    Raises SavedMeanwhileError or RefusedError at the first change that cannot be made. The caller
    must then undo the earlier ones.
    """
    tree = Tree(root)
    journal = read(tree)
    lines = journal.lines
    for one in journal.carried:
        try:
            if not carry(root, one):
                raise SavedMeanwhileError(one.source)
        except OSError as error:
            raise RefusedError(one.source, error) from error
    for line in lines:
        try:
            if _hash(tree, line.path) != line.before or not _make(root, line):
                raise SavedMeanwhileError(line.path)
        except OSError as error:
            raise RefusedError(line.path, error) from error
    for line in lines:  # final check: later saves count as made after the run
        if _hash(tree, line.path) != line.after or _hash(tree, line.kept) != line.before:
            raise SavedMeanwhileError(line.path)
    gone = [line.path for line in lines if line.after is None]
    _clear(root, journal, [*gone, *(one.source for one in journal.carried)])


def undo(root: Path) -> tuple[str, ...]:
    """Restore what was there before the run that the journal describes, and clean up.

    Returns the paths left alone because someone has edited them since. Changes connected to these
    are kept too, as they may hold the only copy of a text, and a move among them is finished.
    Raises ScaffoldError (`journal-broken`) for a journal that we cannot have written, and OSError
    if the disk refuses: the rest can then be undone later.
    """
    tree = Tree(root)
    journal = read(tree)
    lines = journal.lines
    for line in lines:
        _give_back(tree, line)
    edited = {line.path for line in lines if _is_edited(tree, line)}
    left = _connected(edited | {line.path for line in lines if _is_lost(tree, line)}, lines)
    moved = {line.path for line in lines if line.path in edited and _is_made(tree, line)}
    for line in reversed(lines):
        if line.path in left:
            _finish_move(tree, line, moved)
        elif not _undo(tree, line):
            edited.add(line.path)
    taken = [one.target for one in reversed(journal.carried) if not carry_back(root, one)]
    new = [line.path for line in lines if line.before is None]
    _clear(root, journal, [*new, *(one.target for one in journal.carried)])
    return (*(line.path for line in lines if line.path in edited), *taken)


def _make(root: Path, line: Line) -> bool:
    target = root / line.path
    new = None if line.after is None else root / line.staged
    target.parent.mkdir(parents=True, exist_ok=True)
    return swap(target, new, root / line.kept, line.before)


def _is_edited(tree: Tree, line: Line) -> bool:
    """Return whether someone has edited or removed the file since; our records do not count."""
    return not is_reserved(line.path) and _hash(tree, line.path) not in line.states


def _is_lost(tree: Tree, line: Line) -> bool:
    """Return whether undoing cannot restore the old text, as after a checkout of the file."""
    if line.before in (None, _hash(tree, line.path)):
        return False
    asides = (tree.root / line.staged, tree.root / line.kept)
    return line.before not in map(file_hash, asides)


def _connected(paths: Iterable[RelPath], lines: Sequence[Line]) -> set[RelPath]:
    """Return `paths` and all paths whose changes depend on theirs or the reverse, transitively.

    They may share the only copy of a text, so they are undone together or not at all.
    """
    found = set(paths)
    while more := {
        path
        for line in lines
        if line.needs and not is_reserved(line.path) and found & {line.path, line.needs}
        for path in (line.path, line.needs)
        if path not in found
    }:
        found |= more
    return found


def _is_made(tree: Tree, line: Line) -> bool:
    """Return whether the run has put its new file in place."""
    return line.after is not None and not os.path.lexists(tree.root / line.staged)


def _finish_move(tree: Tree, line: Line, moved: set[RelPath]) -> None:
    """Remove the old file of a move whose new file was put in place, and edited there since."""
    if line.after is None and line.needs in moved and _hash(tree, line.path) == line.before:
        _make(tree.root, line)


def _give_back(tree: Tree, line: Line) -> None:
    """Put back a text that someone saved during the exchange, if the run died right then."""
    root = tree.root
    for aside in (line.staged, line.kept):
        text = _hash(tree, aside)
        if text is None or text in line.states:
            continue
        found = _hash(tree, line.path)
        if found in line.states:
            swap(root / line.path, root / aside, root / STAGE / "superseded", found)


def _undo(tree: Tree, line: Line) -> bool:
    """Restore the old contents; return False if someone saves the file at that moment."""
    root = tree.root
    target, staged, kept = (root / path for path in (line.path, line.staged, line.kept))
    found = _hash(tree, line.path)
    if found == line.before or found != line.after:
        return True
    if line.before is None:
        return swap(target, None, kept, line.after)
    for old, out in ((kept, staged), (staged, kept)):
        if file_hash(old) == line.before:
            target.parent.mkdir(parents=True, exist_ok=True)
            return swap(target, old, out, line.after)
    return True  # someone has removed the file or made the same change


def _clear(root: Path, journal: Journal, removed: Iterable[str]) -> None:
    for path in removed:
        _prune(root, path)
    _sync_all(root, journal)
    (root / JOURNAL).unlink(missing_ok=True)
    if os.path.lexists(root / STAGE):
        _sync(root / RUN)  # what is kept there must not go before the journal
        shutil.rmtree(root / STAGE)


def _sync_all(root: Path, journal: Journal) -> None:
    """Sync every folder above a change, outermost first, so new names survive a power cut."""
    paths: list[str] = [line.path for line in journal.lines]
    paths += [path for one in journal.carried for path in (one.source, one.target)]
    for name in sorted({"", *(folder for path in paths for folder in above(path))}):
        if (root / name).is_dir():
            _sync(root / name)


def _prune(root: Path, path: str) -> None:
    """Remove the folders that a deleted file left empty, unless one of them is a link."""
    folders = [root / folder for folder in above(path)]
    if any(folder.is_symlink() for folder in folders):
        return
    with suppress(OSError):
        for folder in reversed(folders):
            folder.rmdir()


def _line(number: int, change: Change) -> Line:
    before = None if change.before is None else _sha256(change.before.data)
    after = None if change.after is None else _sha256(change.after)
    return Line(number, change.path, before, after, change.needs)


def _hash(tree: Tree, path: RelPath) -> str | None:
    """Return the hash of the exact bytes: here a changed line end counts."""
    found = tree.read(path)
    return None if found is None else _sha256(found.data)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(file: Path, data: bytes, mode: int = 0o666) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    """Make the names in a folder survive a power cut, if the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
