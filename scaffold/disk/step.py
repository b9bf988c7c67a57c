"""One path, as it is wanted, as it was last written and as it lies on disk → what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.disk.diff import hunks, lines, unified
from scaffold.disk.lock import Entry
from scaffold.disk.merge import has_markers, merge
from scaffold.disk.moves import Moves
from scaffold.disk.records import base
from scaffold.disk.refactor import Names, NameTakenError, renamed
from scaffold.disk.reformatted import is_reformatted
from scaffold.disk.table import (
    ALREADY,
    EDITED,
    LAID_OUT,
    NO_BASE,
    NOT_OURS,
    NOT_UTF8,
    OVERLAP,
    SWAPPED,
    TAKEN,
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
    SWAPPED: ("in-a-circle", "move them to their new paths yourself, or rename one at a time"),
    TAKEN: ("name-taken", "call that otherwise, then run again"),
    NOT_UTF8: (
        "conflict",
        "save it as UTF-8, or run with --force {path}: yours is then kept beside",
    ),
}


@dataclass(frozen=True, slots=True)
class Step:
    """What a run would do about one path, and why.

    `before` is what was found, at `source` where the file moves from there; `after` is what will
    lie at `path`. `here` is what lies at `path` until then; where that is another file, it goes to
    `vacated`. `wanted` is what the templates ask for, `entry` what the lock will hold. A conflict
    has a `problem`, and in a merged file `marked`, the text with both sides between markers; any
    other problem is a warning.
    """

    path: RelPath
    owner: Owner
    action: Action
    reason: str
    before: Snapshot | None
    after: bytes | None
    wanted: RenderedFile | None
    entry: Entry | None
    here: Snapshot | None = None
    source: RelPath | None = None
    vacated: RelPath | None = None
    marked: bytes | None = None
    problem: Diagnostic | None = None

    @property
    def forced(self) -> bytes | None:
        """What lies at the path if the template has its way, in the line ends that are there."""
        if self.wanted is None:
            return None
        text = self.wanted.text
        return self.before.encode(text) if self.before else text.encode()

    @property
    def line(self) -> int | None:
        """The first line, from 1, of the file that was found in which it differs."""
        was, now = lines(_text(self.before)), lines(_readable(self.after))
        found = hunks(was, now)
        return min(found[0].start + 1, max(len(was), 1)) if found else None

    def diff(self) -> str:
        """The change as a unified diff, line ends folded; of a conflict, what the template asks."""
        after = self.marked or self.forced if self.action is Action.CONFLICT else self.after
        old = f"a/{self.source or self.path}" if self.before else "/dev/null"
        new = f"b/{self.path}" if after is not None else "/dev/null"
        return unified(_text(self.before), _readable(after), old, new)


@dataclass(frozen=True, slots=True)
class Site:
    """All that a step is decided from."""

    tree: Tree
    wanted: RenderedFiles
    last: Mapping[RelPath, Entry]
    names: Names
    moves: Moves

    @property
    def paths(self) -> list[RelPath]:
        """Every path at which there may be something to do, in order."""
        known = {*self.wanted, *self.last, *self.moves.others} - self.moves.targets.keys()
        return sorted({*known, *self.wanted, *self.moves.sources})

    def step(self, path: RelPath) -> Step:
        """What to do about a path. Raises ScaffoldError as `Tree.read` does."""
        wanted, source = self.wanted.get(path), self.moves.sources.get(path)
        vacated, here = self.moves.targets.get(path), self.tree.read(path)
        before, was = here, self.last.get(path)
        if source:
            before, was = self.tree.read(source), self.last.get(source)
        elif vacated:
            before = was = None
        entry = Entry.of(wanted) if wanted else None
        known = entry or was
        owner = known.owner if known else Owner.OWNED
        hashes = (state.sha256 if state else None for state in (entry, was, before))
        decision = decide(owner, *hashes) if known else YOURS
        data = before.data if before else None
        step = Step(path, owner, *decision, before, data, wanted, entry, here, source, vacated)
        step = self._decided(step, decision, was)
        if source and step.action is not Action.CONFLICT:
            step = replace(step, action=Action.MOVE, reason=f"was renamed from `{source}`")
        return step

    def _decided(self, step: Step, decision: Decision, was: Entry | None) -> Step:
        if step.path in self.moves.swapped:
            return _conflict(step, SWAPPED, self.tree.root)
        match decision.action:
            case Action.CREATE | Action.UPDATE:
                return replace(step, after=step.forced)
            case Action.DELETE:
                return replace(step, after=None)
            case Action.ORPHAN if was:
                step = _orphan(step, was, self.tree.root)
                return self._renamed(step) if step.source else step
            case Action.KEEP | Action.MERGE | Action.CONFLICT if (
                step.owner is Owner.MERGED and step.before and step.wanted
            ):
                return self._merged(step, decision, step.before, step.wanted.text, was)
            case Action.CONFLICT if decision is EDITED and _is_laid_out_otherwise(step):
                return replace(step, action=LAID_OUT.action, reason=LAID_OUT.reason)
            case Action.CONFLICT:
                return _conflict(step, decision, self.tree.root)
            case Action.KEEP:
                return self._renamed(step)
        return step

    def _renamed(self, step: Step) -> Step:
        """The step for a text that stays the user's, but for the names that have changed."""
        where, text = step.source or step.path, step.before.text() if step.before else ""
        if not (step.before and self.names and where.endswith(".py")):
            return step
        try:
            if text is None:
                raise SyntaxError("it is not UTF-8")
            after = step.before.encode(renamed(text, self.names, self._module(where)))
        except NameTakenError:
            return _conflict(step, TAKEN, self.tree.root)
        except SyntaxError as error:
            return (
                _left(step, error, self.tree.root) if self.names.occur(_text(step.before)) else step
            )
        if after == step.before.data:
            return step
        return replace(step, action=Action.UPDATE, reason="uses a name that is new", after=after)

    def _module(self, path: RelPath) -> str | None:
        """The dotted name before of a Python file, moved by its user or not, in the package."""
        parts = path.removesuffix(".py").split("/")
        found = (parts.index(package) for package in self.names.package if package in parts)
        start = next(found, None)
        return None if start is None else self.names.old(".".join(parts[start:]))

    def _refactored(self, path: RelPath, text: str) -> str:
        """A merged file with the new names, or as it is where that cannot be."""
        if not (self.names and path.endswith(".py")):
            return text
        try:
            return renamed(text, self.names, self._module(path))
        except (SyntaxError, NameTakenError):
            return text

    def _merged(
        self, step: Step, decision: Decision, before: Snapshot, theirs: str, was: Entry | None
    ) -> Step:
        """What the texts of a merged file make of the decision that their hashes gave."""
        unresolved, ours, root = has_markers(before.data), before.text(), self.tree.root
        if decision is YOURS:
            if unresolved:
                return _conflict(step, UNRESOLVED, root, before.data)
            return self._renamed(step)
        if ours is None:
            return _conflict(step, NOT_UTF8, root)
        where = step.source or step.path
        kept = self.tree.read(base(where))
        common = kept.text() if kept and was and kept.sha256 == was.sha256 else None
        merged = merge(self._refactored(where, common or ""), self._refactored(where, ours), theirs)
        marked = before.encode(merged.text)
        if unresolved:
            return _conflict(step, UNRESOLVED, root, marked)
        if decision is NOT_OURS:
            return _conflict(step, NOT_OURS, root, marked)
        if common is None:
            return _conflict(step, NO_BASE, root, marked)
        if merged.conflicts:
            return _conflict(step, OVERLAP, root, marked, merged.conflicts[0].start)
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
    text = lines(_text(step.before))
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
        "delete it, or name it in `renamedFrom` of what it has become" if of else "delete it",
        Severity.WARNING,
    )
    return replace(step, entry=replace(last, orphan=True), problem=problem)


def _is_laid_out_otherwise(step: Step) -> bool:
    """Whether what lies there is what is wanted, but for the work of a formatter."""
    text = step.before.text() if step.before else None
    wanted = step.wanted.text if step.wanted and step.path.endswith(".py") else None
    return text is not None and wanted is not None and is_reformatted(text, wanted)


def _left(step: Step, error: SyntaxError, root: Path) -> Step:
    """The step with a warning: names that have changed are still used."""
    problem = Diagnostic(
        "old-names",
        f"`{step.path}` may use names that have changed, which cannot be told: {error.msg}",
        Place(str(root / step.path)),
        "look for them yourself",
        Severity.WARNING,
    )
    return replace(step, problem=problem)


def _text(found: Snapshot | None) -> str:
    return _readable(found.data if found else None)


def _readable(data: bytes | None) -> str:
    return (data or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
