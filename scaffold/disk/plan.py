"""The plan of a run: an action for every path of the project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import RelPath, RenderedFiles
from scaffold.disk.decision import NEW, YOURS, Action
from scaffold.disk.journal import pending
from scaffold.disk.lock import Entry, Lock, read, read_bases
from scaffold.disk.moves import Renames, moves
from scaffold.disk.planner import Planner
from scaffold.disk.records import LOCK
from scaffold.disk.step import Step, deleted
from scaffold.disk.tree import Folder, Snapshot, Tree, along, changed
from scaffold.languages.files import CodeFiles


class Plan(Struct, frozen=True):
    """The step for every path, in path order; `lock` is the one that the plan starts from.

    The folders in `moving` move first.
    """

    steps: tuple[Step, ...]
    lock: Lock | None
    moving: tuple[Folder, ...] = ()

    @property
    def writes(self) -> tuple[Step, ...]:
        """The steps that write, move or delete a file."""
        return tuple(step for step in self.steps if step.action.writes)

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The conflicts that a person has to resolve before any step is applied."""
        return tuple(step for step in self.steps if step.action is Action.CONFLICT)

    @property
    def orphans(self) -> tuple[Step, ...]:
        """The steps for files that the spec no longer asks for but may hold a person's work."""
        return tuple(step for step in self.steps if step.action is Action.ORPHAN)

    def pruned(self) -> Plan:
        """Return the plan that also deletes the merged files that are left over and unedited."""
        steps = (deleted(step) if step.is_left_over else step for step in self.steps)
        return replace(self, steps=tuple(steps))

    def relocked(self, version: str, inputs: Mapping[str, str]) -> Lock:
        """Return the lock of the project after the plan is applied."""
        return Lock(version, inputs, {s.path: s.entry for s in self.steps if s.entry is not None})


def fresh(files: RenderedFiles, present: Mapping[RelPath, Snapshot]) -> Plan:
    """Return a plan that writes all files that a folder does not have yet; those are the user's."""
    steps = []
    for path, file in files.items():
        here = present.get(path)
        decision, after = (YOURS, here.data) if here else (NEW, file.content)
        steps.append(Step(path, file.owner, *decision[:2], here, after, file, Entry.of(file), here))
    return Plan(tuple(steps), None)


def make_plan(
    wanted: RenderedFiles,
    lock: Lock | None,
    root: Path,
    language: CodeFiles,
    renames: Renames,
) -> Plan:
    """Plan a run: read the project and change nothing.

    Merged and owned files move as `renames` says, and use the new names. Raises ScaffoldError for
    everything that keeps the project from being read (links, folders in the place of files,
    unreadable files), and (`changed-meanwhile`) if another run changed it meanwhile.
    """
    moving = moves(renames, wanted, lock.files if lock else {}, root, language)
    bases = read_bases(Tree(root)).items()
    here = {along(path, moving.renamed): text for path, text in bases}
    planner = Planner(wanted, renames, moving, language, here)
    steps: list[Step] = []
    problems: list[Diagnostic] = []
    for path in planner.paths:
        try:
            steps.append(planner.step(path))
        except ScaffoldError as error:
            problems += error.diagnostics
    if problems:
        raise ScaffoldError(dict.fromkeys(problems))  # a folder has one, whatever is in it
    # Half-written files of another run look like edits by hand. It writes the lock last.
    if pending(root) or read(root) != lock:
        raise ScaffoldError([changed(LOCK, root)])
    return Plan(tuple(steps), lock, tuple(moving.tree.moving))
