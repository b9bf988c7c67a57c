"""Files as they shall be, the lock and the project on disk → what a run would do, path by path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.disk.diff import lines, unified
from scaffold.disk.lock import Entry, Lock
from scaffold.disk.merge import has_markers, merge
from scaffold.disk.records import base, refuse_reserved
from scaffold.disk.table import (
    ALREADY,
    EDITED,
    NO_BASE,
    NOT_OURS,
    NOT_UTF8,
    OVERLAP,
    UNRESOLVED,
    YOURS,
    Action,
    Decision,
    decide,
)
from scaffold.disk.tree import Snapshot, Tree
from scaffold.files import Owner, RelPath, RenderedFile, RenderedFiles

WAYS_OUT = {
    NOT_OURS: ("not-ours", "move it away, or run with --force {path}: yours is then kept beside"),
    EDITED: ("edited", "undo the edit, or run with --force {path}: yours is then kept beside"),
    OVERLAP: ("conflict", "--accept-conflicts writes both sides between markers, to be resolved"),
    UNRESOLVED: ("conflict", "resolve them, then run again"),
    NO_BASE: ("conflict", "restore .scaffold/base from version control, or --accept-conflicts"),
    NOT_UTF8: (
        "conflict",
        "save it as UTF-8, or run with --force {path}: yours is then kept beside",
    ),
}


@dataclass(frozen=True, slots=True)
class Step:
    """What a run would do about one path, and why.

    `before` is what was found, at `source` where the file moves from there; `after` is what will
    lie at `path`. `wanted` is what the templates ask for, `entry` what the lock will hold. A
    conflict has a `problem`, and in a merged file `marked`, the text with both sides between
    markers; an orphan's problem is a warning.
    """

    path: RelPath
    owner: Owner
    action: Action
    reason: str
    before: Snapshot | None
    after: bytes | None
    wanted: RenderedFile | None
    entry: Entry | None
    source: RelPath | None = None
    marked: bytes | None = None
    problem: Diagnostic | None = None

    @property
    def forced(self) -> bytes | None:
        """What lies at the path if the template has its way, in the line ends that are there."""
        if self.wanted is None:
            return None
        text = self.wanted.text
        return self.before.encode(text) if self.before else text.encode()

    def diff(self) -> str:
        """The change as a unified diff, line ends folded; of a conflict, what the template asks."""
        after = self.marked or self.forced if self.action is Action.CONFLICT else self.after
        old = f"a/{self.source or self.path}" if self.before else "/dev/null"
        new = f"b/{self.path}" if after is not None else "/dev/null"
        return unified(_readable(_data(self.before)), _readable(after), old, new)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do about every path, in path order; `lock` is the one it starts from."""

    steps: tuple[Step, ...]
    lock: Lock | None

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that write, move or delete a file."""
        return tuple(step for step in self.steps if step.action.writes)

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The steps that a person has to decide; while there are any, none is taken."""
        return tuple(step for step in self.steps if step.action is Action.CONFLICT)

    @property
    def orphans(self) -> tuple[Step, ...]:
        """The files that the spec no longer asks for and that may hold a person's work."""
        return tuple(step for step in self.steps if step.action is Action.ORPHAN)

    def relocked(self, version: str, inputs: Mapping[str, str]) -> Lock:
        """The lock of the project once the plan is applied; see `Lock`."""
        return Lock(version, inputs, {s.path: s.entry for s in self.steps if s.entry is not None})


def make(
    wanted: RenderedFiles, lock: Lock | None, root: Path, renames: Mapping[RelPath, RelPath]
) -> Plan:
    """Decide what to do, reading the project and changing nothing.

    `renames` maps the path that a file had to the one that it has now; a merged or owned file moves
    with its text, unless the new path is taken. Raises ScaffoldError with everything that keeps
    the project from being read: links, folders in the place of files, files closed to us.
    """
    refuse_reserved(wanted)
    tree = Tree(root)
    last = lock.files if lock else {}
    sources = _moves(renames, wanted, last, root)
    steps: list[Step] = []
    problems: list[Diagnostic] = []
    for path in sorted({*wanted, *last}.difference(sources.values())):
        try:
            steps.append(_step(tree, path, wanted.get(path), last, sources.get(path)))
        except ScaffoldError as error:
            problems += error.diagnostics
    if problems:
        raise ScaffoldError(problems)
    return Plan(tuple(steps), lock)


def _moves(
    renames: Mapping[RelPath, RelPath],
    wanted: RenderedFiles,
    last: Mapping[RelPath, Entry],
    root: Path,
) -> dict[RelPath, RelPath]:
    """The renames that are still to be done: new path → old path."""
    return {
        new: old
        for old, new in renames.items()
        if (old in last and old not in wanted and os.path.lexists(root / old))
        and (new in wanted and wanted[new].owner is not Owner.GENERATED)
        and not os.path.lexists(root / new)
    }


def _step(
    tree: Tree,
    path: RelPath,
    wanted: RenderedFile | None,
    last: Mapping[RelPath, Entry],
    source: RelPath | None,
) -> Step:
    before, was = tree.read(source or path), last.get(source or path)
    entry = Entry.of(wanted) if wanted else None
    owner = (entry or last[path]).owner
    decision = decide(owner, *(state.sha256 if state else None for state in (entry, was, before)))
    step = Step(path, owner, *decision, before, _data(before), wanted, entry, source)
    match decision.action:
        case Action.CREATE | Action.UPDATE:
            step = replace(step, after=step.forced)
        case Action.DELETE:
            step = replace(step, after=None)
        case Action.ORPHAN:
            step = _orphan(step, last[path], tree.root)
        case Action.KEEP | Action.MERGE | Action.CONFLICT if (
            owner is Owner.MERGED and before and wanted
        ):
            step = _merged(step, decision, before, wanted.text, was, tree)
        case Action.CONFLICT:
            step = _conflict(step, decision, tree.root)
    if source and step.action is not Action.CONFLICT:
        step = replace(step, action=Action.MOVE, reason=f"was renamed from `{source}`")
    return step


def _merged(
    step: Step, decision: Decision, before: Snapshot, theirs: str, was: Entry | None, tree: Tree
) -> Step:
    """What the texts of a merged file make of the decision that their hashes gave."""
    unresolved, ours = has_markers(before.data), before.text()
    if decision is YOURS:
        return _conflict(step, UNRESOLVED, tree.root, before.data) if unresolved else step
    if ours is None:
        return _conflict(step, NOT_UTF8, tree.root)
    kept = tree.read(base(step.source or step.path))
    common = kept.text() if kept and was and kept.sha256 == was.sha256 else None
    merged = merge(common or "", ours, theirs)
    marked = before.encode(merged.text)
    if unresolved:
        return _conflict(step, UNRESOLVED, tree.root, marked)
    if decision is NOT_OURS:
        return _conflict(step, NOT_OURS, tree.root, marked)
    if common is None:
        return _conflict(step, NO_BASE, tree.root, marked)
    if merged.conflicts:
        return _conflict(step, OVERLAP, tree.root, marked, merged.conflicts[0].start)
    if marked == before.data:
        return replace(step, action=ALREADY.action, reason=ALREADY.reason)
    return replace(step, after=marked)


def _conflict(
    step: Step, decision: Decision, root: Path, marked: bytes | None = None, line: int | None = None
) -> Step:
    """The step as a conflict; `line`, from 0, is the first that it concerns, if that is known."""
    id, hint = WAYS_OUT[decision]
    where = step.source or step.path
    place = Place(str(root / where))
    text = lines(_readable(_data(step.before)))
    if line is not None and line < len(text):
        place = Place(str(root / where), line + 1, 1, excerpt=text[line].rstrip("\r\n"))
    message = f"`{where}` {decision.reason}"
    problem = Diagnostic(id, message, place, hint.format(path=step.path))
    return replace(
        step, action=Action.CONFLICT, reason=decision.reason, marked=marked, problem=problem
    )


def _orphan(step: Step, last: Entry, root: Path) -> Step:
    of = f" to `{last.about}`" if last.about else ""
    problem = Diagnostic(
        "orphan",
        f"`{step.path}` belonged{of} and {step.reason}",
        Place(str(root / step.path)),
        "delete it, or name it in `renamedFrom` of what it has become",
        Severity.WARNING,
    )
    return replace(step, entry=replace(last, orphan=True), problem=problem)


def _data(found: Snapshot | None) -> bytes | None:
    return found.data if found else None


def _readable(data: bytes | None) -> str:
    return (data or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
