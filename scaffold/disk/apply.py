"""Apply a plan to a project, completely or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RelPath
from scaffold.disk.decision import Action
from scaffold.disk.journal import Change, commit, finish, pending, undo
from scaffold.disk.journal import read as read_journal
from scaffold.disk.lock import Lock, read
from scaffold.disk.outcomes import changes, decided
from scaffold.disk.plan import Plan
from scaffold.disk.records import JOURNAL, LOCK, RUN_LOCK, Metadata
from scaffold.disk.step import Step
from scaffold.disk.swap import file_hash
from scaffold.disk.tree import Tree, changed, failure, reported


def apply(
    plan: Plan,
    root: Path,
    lock: Lock,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    metadata: Metadata = MappingProxyType({}),
) -> tuple[Step, ...] | None:
    """Apply every step of the plan, then write `metadata` and `lock`, all or nothing.

    Returns the applied steps; None if nothing was done because a person has to resolve a conflict
    first. If its path is in `force`, the template's text wins and the present file is saved as
    `.orig`. With `accept_conflicts`, both sides are written between conflict markers. Raises
    ScaffoldError for a project that changed after planning or during the run, and if the disk
    refuses. All changes are undone then.
    """
    tree = Tree(root, plan.moving)
    steps = decided(plan, force, accept_conflicts, tree)
    if steps is None:
        return None
    todo = changes(plan, steps, lock, tree, metadata)
    if not (todo or plan.moving):
        return ()
    with exclusive(root), reported("cannot-write", root):
        recover(root)
        _refuse_if_stale(plan, todo, root)
        try:
            commit(root, todo, plan.moving)
        except OSError as error:
            message, hint = f"cannot write: {error.strerror or error}", "nothing was changed"
            raise ScaffoldError.of("cannot-write", message, root, hint) from error
        try:
            finish(root)
        except BaseException:  # including KeyboardInterrupt
            undo(root)
            raise
    changed_paths = {change.path for change in todo}
    return tuple(step for step in steps if step.path in changed_paths or step.action is Action.MOVE)


@contextmanager
def exclusive(root: Path, patience: float = 30) -> Iterator[None]:
    """Lock the project during the block, waiting at most `patience` seconds for other runs.

    Blocks may be nested. The system releases the lock when the process ends. Raises ScaffoldError
    (`busy`) if another run does not finish in time.
    """
    from filelock import FileLock, Timeout  # imported late: only runs that write need it

    Tree(root).read(RUN_LOCK)  # refuses links
    file = root / RUN_LOCK
    hold = FileLock(file, is_singleton=True)
    try:
        if not file.parent.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            (file.parent / ".gitignore").write_text("*\n")
        hold.acquire(timeout=patience)
    except Timeout as error:
        raise ScaffoldError.of("busy", "another run is changing the project", root) from error
    except OSError as error:
        raise failure("cannot-write", file, error) from error
    try:
        yield
    finally:
        hold.release()


def recover(root: Path, anywhere: bool = False) -> tuple[str, ...] | None:
    """Undo an interrupted run, or remove its preparations.

    Returns the paths left alone because someone has edited them since; None if no run had begun.
    Unless `anywhere` is set, raises ScaffoldError (`other-tree`) if the project is not in the state
    that the run was planned for, as after a checkout of another branch.
    """
    if not pending(root):
        return None
    with exclusive(root), reported("cannot-write", root):
        if not pending(root):  # the other run has just finished
            return None
        journal = read_journal(Tree(root))
        is_here = not journal.begun or file_hash(root / LOCK) in journal.locks
        if not (is_here or anywhere):
            message = f"an interrupted run was planned for another version of `{LOCK}`"
            hint = (
                "to finish it, check out the branch or commit where it began and run again; "
                "to undo it, run `mcp-scaffold regenerate --abort`"
            )
            raise ScaffoldError.of("other-tree", message, root / JOURNAL, hint)
        left = undo(root)
    return left if journal.begun else None


def _refuse_if_stale(plan: Plan, todo: Iterable[Change], root: Path) -> None:
    tree = Tree(root, plan.moving)
    paths: list[str] = [c.path for c in todo if tree.read(c.path) != c.before]
    if read(root) != plan.lock:
        paths.append(LOCK)
    if paths:
        raise ScaffoldError(changed(path, root) for path in paths)
