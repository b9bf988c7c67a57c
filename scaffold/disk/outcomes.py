"""The file changes of a plan once its conflicts are decided, in a safe order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import RelPath
from scaffold.disk.decision import Action
from scaffold.disk.journal import Change
from scaffold.disk.lock import Lock, bases_of, packed, read_bases, sha256
from scaffold.disk.plan import Plan
from scaffold.disk.records import BASES, LOCK, Metadata
from scaffold.disk.step import Step
from scaffold.disk.tree import Folder, Tree, along


def decided(
    plan: Plan, force: Collection[RelPath], accept_conflicts: bool, tree: Tree
) -> list[Step] | None:
    """Return every step with its conflict resolved; None if a person has to resolve one first.

    Raises ScaffoldError (`not-wanted`) for paths in `force` that the project does not have.
    """
    wanted = {step.path for step in plan.steps if step.wanted}
    if unwanted := sorted({*force} - wanted):
        raise ScaffoldError(
            Diagnostic(
                "not-wanted", f"`{path}` cannot be forced: it is not a generated file", Place(path)
            )
            for path in unwanted
        )
    steps: list[Step] = []
    for step in plan.steps:
        if step.can_be_forced and step.path in force:
            given_up = step.before is not None and step.before.data != step.forced
            aside = _aside(step.path, tree) if given_up else None
            action = step.action if step.before else Action.CREATE
            steps.append(replace(step, action=action, after=step.forced, aside=aside))
        elif step.action is not Action.CONFLICT:
            steps.append(step)
        elif accept_conflicts and step.marked is not None:
            steps.append(replace(step, after=step.marked))
        else:
            return None
    return steps


def changes(
    plan: Plan, steps: Iterable[Step], lock: Lock, tree: Tree, metadata: Metadata
) -> list[Change]:
    """Return the file changes of resolved steps: texts first, then records, deletions, the lock.

    Files that already have their new contents are left out.
    """
    paths = {step.path for step in plan.steps}
    theirs = [change for step in steps for change in _of_step(step, paths, plan.moving)]
    ours = [*_of_records(plan, lock, tree, metadata)]
    return sorted([*theirs, *ours], key=lambda change: (change.path == LOCK, change.after is None))


def records_alone(plan: Plan, lock: Lock, tree: Tree, metadata: Metadata) -> tuple[RelPath, ...]:
    """Return the records that a run would write if it wrote nothing else."""
    if plan.writes or plan.moving or plan.conflicts:
        return ()
    return tuple(change.path for change in changes(plan, plan.steps, lock, tree, metadata))


def _of_step(step: Step, others: Collection[RelPath], moving: Sequence[Folder]) -> Iterator[Change]:
    """Yield the changes that a step makes; `others` are the paths that have steps of their own."""
    after, aside = step.after, step.aside
    if aside and step.before:
        yield Change(aside, None, step.before.data, step.before.mode)
    if after is None and step.here:
        yield Change(step.path, step.here, None)
    elif after is not None and (
        step.here is None
        or after != step.here.data
        or (step.action.writes and step.mode != step.here.mode)
    ):
        yield Change(step.path, step.here, after, step.mode, moved_to=step.vacated or aside)
    source = along(step.source, moving) if step.source else step.path
    if source not in (step.path, *others):
        yield Change(source, step.before, None, moved_to=step.path)


def _aside(path: RelPath, tree: Tree) -> RelPath:
    """Return a free name beside a file, for its old contents."""
    names = (RelPath(f"{path}.orig{f'.{n}' if n else ''}") for n in count())
    return next(name for name in names if not tree.exists(name))


def _of_records(plan: Plan, lock: Lock, tree: Tree, metadata: Metadata) -> Iterator[Change]:
    """Yield the changes in `.scaffold/`."""
    left = {path for path, entry in lock.files.items() if entry.orphan}
    bases = {path: text for path, text in read_bases(tree).items() if path in left}
    bases |= bases_of({step.path: step.wanted for step in plan.steps if step.wanted})
    for path, text in {BASES: packed(bases), **metadata, LOCK: lock.text()}.items():
        file = tree.read(path)
        if text is None and file:
            yield Change(path, file, None)
        elif isinstance(text, bytes):
            if file is None or file.data != text:
                yield Change(path, file, text)
        elif text is not None and (file is None or file.sha256 != sha256(text)):
            yield Change(path, file, file.encode(text) if file else text.encode())
