"""Apply a plan to a project, completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.exclusive import exclusive
from scaffold.disk.journal import (
    Change,
    RefusedError,
    SavedMeanwhileError,
    commit,
    finish,
    pending,
    undo,
)
from scaffold.disk.journal import read as read_journal
from scaffold.disk.lock import Lock, read
from scaffold.disk.outcomes import changes, decided
from scaffold.disk.plan import Plan, changed
from scaffold.disk.records import JOURNAL, LOCK, Metadata
from scaffold.disk.step import Step
from scaffold.disk.swap import file_hash
from scaffold.disk.tree import Tree, failure
from scaffold.files import RECORDS, RelPath


class Applied(Struct, frozen=True):
    """The result of a run: the steps taken, and where replaced files were saved."""

    steps: tuple[Step, ...] = ()
    beside: Mapping[RelPath, RelPath] = field(default_factory=dict)


def apply(
    plan: Plan,
    root: Path,
    lock: Lock,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    metadata: Metadata = MappingProxyType({}),
) -> Applied:
    """Take every step of the plan, then write `metadata` and `lock`, all or nothing.

    A conflict stops the run before it writes anything, with two exceptions. If its path is in
    `force`, the template's text wins and the present file is saved as `.orig`. With
    `accept_conflicts`, both sides are written between conflict markers. Raises ScaffoldError for
    conflicts, for a project that changed after planning or during the run, and if the disk refuses.
    All changes are undone then.
    """
    tree = Tree(root)
    outcomes = decided(plan, force, accept_conflicts, tree)
    todo = changes(plan, outcomes, lock, tree, metadata)
    if not (todo or plan.carried):
        return Applied()
    with exclusive(root), _reported(root):
        recover(root)
        _refuse_if_stale(plan, todo, root)
        _refuse_if_closed(todo, root)
        try:
            commit(root, todo, plan.carried)
        except OSError as error:
            message, hint = f"cannot write: {error.strerror or error}", "nothing was changed"
            raise ScaffoldError.of("cannot-write", message, root, hint) from error
        try:
            finish(root)
        except SavedMeanwhileError as error:
            undo(root)
            raise ScaffoldError([changed(error.path, root)]) from error
        except RefusedError as error:
            raise _refused(error, root) from error
        except BaseException:  # including KeyboardInterrupt
            undo(root)
            raise
    made = {change.path for change in todo}
    taken = tuple(step for step in plan.steps if step.path in made)
    return Applied(taken, {o.step.path: o.aside for o in outcomes if o.aside in made})


def recover(root: Path) -> bool:
    """Undo an interrupted run, or remove what it had only prepared.

    Returns whether that run had begun. Raises ScaffoldError (`other-tree`) if the project is not in
    the state that the run was planned for, as after a checkout of another branch.
    """
    if not pending(root):
        return False
    with exclusive(root), _reported(root):
        if not pending(root):  # the other run has just finished
            return False
        journal = read_journal(Tree(root))
        if journal.begun and file_hash(root / LOCK) not in journal.locks:
            message = f"an interrupted run was planned for another version of `{LOCK}`"
            hint = (
                "to finish it, check out the branch or commit where it began and run again; "
                "to undo it, run `mcp-scaffold regenerate --abort`"
            )
            raise ScaffoldError.of("other-tree", message, root / JOURNAL, hint)
        undo(root)
    return journal.begun


def abort(root: Path) -> tuple[str, ...] | None:
    """Undo an interrupted run, even on another branch.

    Returns the paths left alone because someone has edited them since, on the branch of the run;
    None if nothing was begun.
    """
    if not pending(root):
        return None
    with exclusive(root), _reported(root):
        journal = read_journal(Tree(root))
        is_elsewhere = file_hash(root / LOCK) not in journal.locks
        left = undo(root)
    return (() if is_elsewhere else left) if journal.begun else None


def _refused(error: RefusedError, root: Path) -> ScaffoldError:
    """Undo the run and return the error for the file that could not be replaced."""
    why = error.error.strerror or error.error
    message = f"cannot write `{error.path}`: {why}"
    try:
        undo(root)
        hint = "nothing was changed: make it writable, then run again"
    except (OSError, ScaffoldError):
        hint = "some files are already written: make it writable, then run again to finish"
    return ScaffoldError.of("cannot-write", message, root / error.path, hint)


def _refuse_if_stale(plan: Plan, todo: Iterable[Change], root: Path) -> None:
    tree = Tree(root)
    paths: list[str] = [c.path for c in todo if tree.read(c.path) != c.before]
    if read(root) != plan.lock:
        paths.append(LOCK)
    if paths:
        raise ScaffoldError(changed(path, root) for path in paths)


def _refuse_if_closed(todo: Iterable[Change], root: Path) -> None:
    """Raise ScaffoldError before the first write if a folder would stop the run halfway."""
    problems = []
    parents = ((root / change.path).parents for change in todo)
    present = {next(folder for folder in above if folder.exists()) for above in parents}
    for folder in sorted(present):
        if not os.access(folder, os.W_OK | os.X_OK):
            message, hint = f"permission denied: `{folder}`", "change its permissions"
        elif folder.stat().st_dev != (root / RECORDS).stat().st_dev:
            message = f"`{folder}` is on another file system than the project"
            hint = "move it to the file system of the project"
        else:
            continue
        problems.append(Diagnostic("read-only", message, Place(str(folder)), hint))
    if problems:
        raise ScaffoldError(problems)


@contextmanager
def _reported(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise failure("cannot-write", root, error) from error
