"""Changes to many files → all of them made, by this run or, if it is cut short, by the next.

The new contents are staged, then the journal is written, which says what each path was and shall
be. From the moment it bears its name the changes will be made. A file changes only from what the
journal says it was: what a person wrote in between is never touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk import lock
from scaffold.disk.records import JOURNAL, LOCK, STAGE, is_record, is_reserved
from scaffold.disk.tree import Snapshot, Tree
from scaffold.files import RelPath

_DEEPEST = 500  # folders


@dataclass(frozen=True, slots=True)
class Change:
    """A file to change: from the contents `before` to `after`, where None is no file.

    A new file gets the permissions `mode`, less the umask; any other keeps its own. `needs` is the
    path of an earlier change without which this one must not be made.
    """

    path: RelPath
    before: Snapshot | None
    after: bytes | None
    needs: RelPath | None = None
    mode: int = 0o666


@dataclass(frozen=True, slots=True)
class _Line:
    """A change as the journal has it: hashes for contents, of which the new lies at `staged`."""

    path: RelPath
    before: str | None
    after: str | None
    needs: RelPath | None
    staged: RelPath


def pending(root: Path) -> bool:
    """Whether a run on the project was cut short, or is under way."""
    return os.path.lexists(root / JOURNAL) or os.path.lexists(root / STAGE)


def commit(root: Path, changes: Sequence[Change]) -> None:
    """Stage the changes, in the order in which they are to be made, and see to it that they are.

    Nothing outside `.scaffold/` is written yet. Raises OSError, and leaves nothing behind, where
    the disk refuses.
    """
    stage, journal = root / STAGE, root / JOURNAL
    stage.mkdir(parents=True)
    try:
        for number, change in enumerate(changes):
            if change.after is not None:
                _write(stage / str(number), change.after, change.mode)
                if change.before:
                    os.chmod(stage / str(number), change.before.mode)
        _write(stage / journal.name, _text(changes))
        _sync(stage)
        os.replace(stage / journal.name, journal)
        _sync(journal.parent)
    except BaseException:
        if not journal.exists():
            shutil.rmtree(stage)
        raise


def finish(root: Path) -> tuple[RelPath, ...]:
    """Make the changes that the journal still holds, and clear up.

    Returns the paths that were left alone, being neither as the journal found them nor as it
    leaves them: a person has written there since. Of these the lock goes on saying what it said.
    Raises ScaffoldError (`journal-broken`) for a journal that we cannot have written, and OSError
    where the disk refuses; what is left to do can then be done later.
    """
    tree = Tree(root)
    lines = _read(tree)
    left: list[RelPath] = []
    if not any(line.path == LOCK and _is_made(tree, line) for line in lines):
        for line in lines:
            found = _sha256(tree.read(line.path))
            if found == line.after:
                continue
            if found == line.before and line.needs not in left and _is_staged(tree, line):
                _make(tree, line, left)
            elif not _was_made(tree, line, lines):
                left.append(line.path)
    _clear(root, lines, left)
    return tuple(path for path in left if not is_reserved(path))


def _is_made(tree: Tree, line: _Line) -> bool:
    return _sha256(tree.read(line.path)) == line.after


def _is_staged(tree: Tree, line: _Line) -> bool:
    """Whether the new text, if there is one, still waits; else a person has undone the change."""
    return line.after is None or tree.read(line.staged) is not None


def _was_made(tree: Tree, line: _Line, lines: Sequence[_Line]) -> bool:
    """Whether the file was changed as the journal says, and by a person since.

    Nothing shows that but a change that needed this one, and has been made.
    """
    return any(_is_made(tree, other) for other in lines if other.needs == line.path)


def _make(tree: Tree, line: _Line, left: Sequence[RelPath]) -> None:
    target, staged = tree.root / line.path, tree.root / line.staged
    if line.after is None:
        target.unlink()
        return
    content = tree.read(line.staged)
    if content is None or _sha256(content) != line.after:
        raise _broken(tree.root, f"the text for `{line.path}` is not the one that was staged")
    if line.path == LOCK and left:
        staged = staged.with_suffix(".left")
        staged.unlink(missing_ok=True)
        _write(staged, _lock_without(tree.root, content.data, left))
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(staged, target)


def _lock_without(root: Path, new: bytes, left: Sequence[RelPath]) -> bytes:
    """The new lock, which says of the files that are left alone what the present one says."""
    try:
        wanted, present = lock.parse(new), lock.read(root)
    except (ValueError, RecursionError) as error:
        raise _broken(root, f"the lock that was staged cannot be read: {error}") from error
    files = {path: entry for path, entry in wanted.files.items() if path not in left}
    if present:
        files |= {path: entry for path, entry in present.files.items() if path in left}
    return replace(wanted, files=files).text().encode()


def _clear(root: Path, lines: Sequence[_Line], left: Sequence[RelPath]) -> None:
    for line in lines:
        if line.after is None and line.path not in left:
            _prune(root, line.path)
    for folder in {(root / line.path).parent for line in lines}:
        if folder.is_dir():
            _sync(folder)
    (root / JOURNAL).unlink(missing_ok=True)
    if os.path.lexists(root / STAGE):
        shutil.rmtree(root / STAGE)


def _prune(root: Path, path: RelPath) -> None:
    """Remove the folders that a deleted file has left empty, by no way that a link is on."""
    try:
        Tree(root).read(path)
        for folder in reversed([*path.folders]):
            (root / folder).rmdir()
    except (OSError, ScaffoldError):
        return


def _text(changes: Sequence[Change]) -> bytes:
    rows = [
        {
            "path": change.path,
            "before": _sha256(change.before),
            "after": None if change.after is None else hashlib.sha256(change.after).hexdigest(),
            "needs": change.needs,
        }
        for change in changes
    ]
    return json.dumps({"format": 1, "changes": rows}, indent=1).encode()


def _read(tree: Tree) -> list[_Line]:
    found = tree.read(JOURNAL)
    if found is None:
        return []
    try:
        match json.loads(found.data):
            case {"format": 1, "changes": list(rows)}:
                return [_line(number, row) for number, row in enumerate(rows)]
        raise ValueError("it lacks its format or its changes")
    except (ValueError, RecursionError) as error:
        raise _broken(tree.root, str(error)) from error


def _line(number: int, row: object) -> _Line:
    match row:
        case {"path": str(path), "before": before, "after": after, "needs": needs} if (
            isinstance(before, str | None)
            and isinstance(after, str | None)
            and isinstance(needs, str | None)
        ):
            to = RelPath(path)
            if is_reserved(to) and not is_record(to):
                raise ValueError(f"{path!r} is not a file that a run changes")
            if to.count("/") > _DEEPEST:
                raise ValueError(f"its change {number} lies deeper than any template's file")
            needed = None if needs is None else RelPath(needs)
            return _Line(to, before, after, needed, RelPath(f"{STAGE}/{number}"))
    raise ValueError(f"its change {number} is not one")


def _broken(root: Path, why: str) -> ScaffoldError:
    return ScaffoldError(
        [
            Diagnostic(
                "journal-broken",
                f"a run was cut short and cannot be finished: {why}",
                Place(str(root / JOURNAL)),
                hint=f"delete {JOURNAL} and run again",
            )
        ]
    )


def _sha256(found: Snapshot | None) -> str | None:
    """The hash of the very bytes: here a changed line end counts."""
    return None if found is None else hashlib.sha256(found.data).hexdigest()


def _write(file: Path, data: bytes, mode: int = 0o666) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    """Make the names in a folder last through a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
