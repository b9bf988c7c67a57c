"""A plan → the project changed as it says, or left as it was."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.changes import changes, settle
from scaffold.disk.exclusive import exclusive
from scaffold.disk.journal import Change, commit, finish, pending
from scaffold.disk.lock import Lock, read
from scaffold.disk.plan import Plan, changed
from scaffold.disk.records import FOLDER, LOCK, Notes
from scaffold.disk.step import Step
from scaffold.disk.tree import Tree, failure
from scaffold.files import RelPath


@dataclass(frozen=True, slots=True)
class Applied:
    """What a run did: the steps it took, and where it kept the files that it was forced over.

    `left` are paths that someone changed during the run; they stay as they are until the next.
    """

    steps: tuple[Step, ...] = ()
    beside: Mapping[RelPath, RelPath] = field(default_factory=dict)
    left: tuple[RelPath, ...] = ()


def apply(
    plan: Plan,
    root: Path,
    lock: Lock,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    notes: Notes = MappingProxyType({}),
) -> Applied:
    """Take every step of the plan, put down `notes`, then write `lock`: all of it, or nothing.

    A conflict stops the run before it writes anything, unless its path is in `force`, which takes
    the template's text and keeps the other beside it as `.orig`, or it is accepted, which leaves
    both sides between markers. Raises ScaffoldError for conflicts, for a project that has changed
    since it was planned, and where the disk refuses.
    """
    tree = Tree(root)
    outcomes = settle(plan, force, accept_conflicts, tree)
    todo = changes(plan, outcomes, lock, tree, notes)
    if not todo:
        return Applied()
    with exclusive(root), _reported(root):
        recover(root)
        _refuse_if_stale(plan, todo, root)
        _refuse_if_closed(todo, root)
        commit(root, todo)
        left = finish(root)
    made = {change.path for change in todo}.difference(left)
    taken = tuple(step for step in plan.steps if step.path in made)
    return Applied(taken, {o.step.path: o.aside for o in outcomes if o.aside in made}, left)


def recover(root: Path) -> tuple[RelPath, ...]:
    """Finish what a run that was cut short has begun, or clear up what it had only prepared.

    Returns the paths that were left alone, because a person has written there since.
    """
    if not pending(root):
        return ()
    with exclusive(root), _reported(root):
        return finish(root)


def _refuse_if_stale(plan: Plan, todo: Iterable[Change], root: Path) -> None:
    tree = Tree(root)
    paths = [change.path for change in todo if tree.read(change.path) != change.before]
    if read(root) != plan.lock:
        paths.append(LOCK)
    if paths:
        raise ScaffoldError(changed(path, root) for path in paths)


def _refuse_if_closed(todo: Iterable[Change], root: Path) -> None:
    """Find out before the first write what would stop the run in the middle."""
    problems = []
    for folder in sorted({_standing(root / change.path) for change in todo}):
        if not os.access(folder, os.W_OK | os.X_OK):
            what, hint = "may not be written", "change its permissions"
        elif folder.stat().st_dev != (root / FOLDER).stat().st_dev:
            what, hint = "lies on another disk than the project", "move it to the project's"
        else:
            continue
        problems.append(Diagnostic("read-only", f"`{folder}` {what}", Place(str(folder)), hint))
    if problems:
        raise ScaffoldError(problems)


def _standing(file: Path) -> Path:
    """The nearest folder above a file that exists."""
    return next(folder for folder in file.parents if folder.exists())


@contextmanager
def _reported(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ScaffoldError([failure("cannot-write", root, error)]) from error
