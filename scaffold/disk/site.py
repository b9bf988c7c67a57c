"""One path, as it is wanted, as it was last written and as it lies on disk → what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scaffold.disk.lock import Entry
from scaffold.disk.merge import has_markers, merge
from scaffold.disk.moves import Moves
from scaffold.disk.records import base
from scaffold.disk.refactor import Names, NameTakenError, renamed
from scaffold.disk.reformatted import is_reformatted
from scaffold.disk.step import Step, adopted, conflict, left, orphan
from scaffold.disk.table import (
    ALREADY,
    BLOCKED,
    EDITED,
    LAID_OUT,
    LEFT,
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
from scaffold.files import Owner, RelPath, RenderedFiles


@dataclass(frozen=True, slots=True)
class Site:
    """All that a step is decided from.

    `written` gives the texts that were written last, so far as they can be told: it takes time, and
    is asked only where a formatter may have been at work.
    """

    tree: Tree
    wanted: RenderedFiles
    last: Mapping[RelPath, Entry]
    names: Names
    moves: Moves
    written: Callable[[], Mapping[RelPath, str]]

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
        decision = self._decision(path, entry, was, before)
        data = before.data if before else None
        step = Step(path, owner, *decision, before, data, wanted, entry, here, source, vacated)
        step = self._decided(step, decision, was)
        if source and step.action is not Action.CONFLICT:
            step = replace(step, action=Action.MOVE, reason=f"was renamed from `{source}`")
        return step

    def _decision(
        self, path: RelPath, wanted: Entry | None, last: Entry | None, found: Snapshot | None
    ) -> Decision:
        """The cell of the table; the work of a formatter is no edit of files that are not merged."""
        known = wanted or last
        if known is None:
            return YOURS
        hashes = [state.sha256 if state else None for state in (wanted, last, found)]
        decision = decide(known.owner, *hashes)
        stays = decision is LEFT and known.owner is not Owner.MERGED and not known.orphan
        if not (path.endswith(".py") and found and last and (decision is EDITED or stays)):
            return decision
        text = found.text() or ""
        if wanted and is_reformatted(text, self.wanted[path].text):
            return LAID_OUT
        written = self.written().get(path)
        if written is not None and is_reformatted(text, written):
            return decide(known.owner, hashes[0], last.sha256, last.sha256)
        return decision

    def _decided(self, step: Step, decision: Decision, was: Entry | None) -> Step:
        if step.path in self.moves.swapped:
            return conflict(step, SWAPPED, self.tree.root)
        if source := self.moves.blocked.get(step.path):
            return conflict(step, BLOCKED, self.tree.root, source=source)
        match decision.action:
            case Action.CREATE | Action.UPDATE:
                return replace(step, after=step.forced)
            case Action.DELETE:
                return replace(step, after=None)
            case Action.ORPHAN if was:
                step = orphan(step, was, self.tree.root)
                if step.path in self.moves.blocked.values():
                    return replace(step, problem=None)
                return self._renamed(step) if step.source else step
            case Action.KEEP | Action.MERGE | Action.CONFLICT if (
                step.owner is Owner.MERGED and step.before and step.wanted
            ):
                return self._merged(step, decision, step.before, step.wanted.text, was)
            case Action.CONFLICT:
                return conflict(step, decision, self.tree.root)
            case Action.KEEP if decision is not LAID_OUT:
                step = self._renamed(step)
                return adopted(step, self.tree.root) if self._is_found(step, was) else step
        return step

    def _is_found(self, step: Step, was: Entry | None) -> bool:
        """Whether a file is used that lay there before it was asked for, and not for the same."""
        if step.wanted is None or step.before is None or step.problem:
            return False
        known = was is not None and not (was.orphan and was.about != step.wanted.about)
        return not known and step.path not in self.moves.found

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
            return conflict(step, TAKEN, self.tree.root)
        except SyntaxError as error:
            return left(step, error, self.tree.root) if self.names.occur(step.text) else step
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
                return conflict(step, UNRESOLVED, root, before.data)
            return self._renamed(step)
        if ours is None:
            return conflict(step, NOT_UTF8, root)
        where = step.source or step.path
        kept = self.tree.read(base(where))
        common = kept.text() if kept and was and kept.sha256 == was.sha256 else None
        merged = merge(self._refactored(where, common or ""), self._refactored(where, ours), theirs)
        marked = before.encode(merged.text)
        if unresolved:
            return conflict(step, UNRESOLVED, root, marked)
        if common is None and kept and step.entry and kept.sha256 == step.entry.sha256:
            # git has merged two branches, files and bases alike, but no two locks
            return replace(step, action=YOURS.action, reason=YOURS.reason)
        if decision is NOT_OURS:
            return conflict(step, NOT_OURS, root, marked)
        if common is None:
            return conflict(step, NO_BASE, root, marked)
        if merged.conflicts:
            return conflict(step, OVERLAP, root, marked, merged.conflicts[0].start)
        if marked == before.data:
            return replace(step, action=ALREADY.action, reason=ALREADY.reason)
        return replace(step, after=marked)
