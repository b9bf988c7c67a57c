"""Decide what to do with one file by comparing its wanted, last written and current contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.disk.decision import (
    ALREADY,
    BLOCKED,
    CHANGED_BIT,
    EDITED,
    LEFT,
    NO_BASE,
    NOT_OURS,
    NOT_UTF8,
    OVERLAP,
    PACKAGE,
    TAKEN,
    TAKEN_OVER,
    UNRESOLVED,
    YOURS,
    Action,
    Decision,
    decide,
)
from scaffold.disk.lock import Entry, mode_of, sha256, state_of
from scaffold.disk.merge import merged
from scaffold.disk.moves import Moves, Renames
from scaffold.disk.step import Step, adopted, conflict, left, orphan, unsure
from scaffold.disk.tree import Snapshot, Tree, has_markers, is_replaced, marked_line
from scaffold.languages.files import CodeFiles, NameTakenError, Renaming, Rewriter

_STAYS = (Action.CREATE, Action.UPDATE, Action.MERGE, Action.UNCHANGED, Action.KEEP)
"""The action for a file that keeps its contents, and for one that gets new contents."""


@dataclass(frozen=True)
class Planner:
    """The inputs and logic that decide the step for each path."""

    wanted: RenderedFiles
    renames: Renames
    moves: Moves
    language: CodeFiles
    bases: Mapping[RelPath, str]

    @cached_property
    def rewriter(self) -> Rewriter | None:
        """The renames in code; None if there are none."""
        if not self.renames.in_code:
            return None
        moves = self.moves
        known = {*moves.last, *moves.others, *moves.sources.values(), *moves.known}
        known -= moves.sources.keys() - moves.targets.keys()  # nothing is there yet
        modules = {moves.recorded(path) for path in known if self.language.is_source(path)}
        files = {*map(moves.recorded, moves.last), *self.wanted}
        renaming = Renaming(self.renames.package, self.renames.names, modules, files)
        return self.language.rewriter(renaming)

    @property
    def tree(self) -> Tree:
        """The project, once its folders have moved."""
        return self.moves.tree

    @property
    def last(self) -> Mapping[RelPath, Entry]:
        """The entries of the lock by the paths in `tree`."""
        return self.moves.last

    @property
    def paths(self) -> list[RelPath]:
        """Every path that may need a step, in order."""
        known = {*self.wanted, *self.last, *self.moves.others} - self.moves.targets.keys()
        return sorted({*known, *self.wanted, *self.moves.sources, *self.moves.blocked})

    def step(self, path: RelPath) -> Step:
        """Decide what to do with a path. Raises ScaffoldError as `Tree.read` does."""
        wanted, source = self.wanted.get(path), self.moves.sources.get(path, path)
        if blocking := self.moves.blocked.get(path):
            step = Step(path, Owner.OWNED, *BLOCKED[:2], None, None, wanted, None)
            return conflict(step, BLOCKED, self.tree.root, source=blocking)
        last_entry = self.last.get(self.moves.known.get(path, path))
        or_link = last_entry is not None and last_entry.may_be_link
        vacated, here = self.moves.targets.get(path), self.tree.read(path, or_link)
        before = self.tree.read(source, or_link)
        if vacated and source == path:
            before = last_entry = None
        base = self.bases.get(self.moves.known.get(path, path))
        if last_entry and last_entry.owner is Owner.MERGED and base is not None:
            last_entry = replace(
                last_entry, sha256=sha256(base)
            )  # git may have merged the lock differently
        entry = Entry.of(wanted) if wanted else None
        known = entry or last_entry
        owner = known.owner if known else Owner.OWNED
        decision = self._decision(entry, last_entry, before)
        if decision is EDITED and last_entry and last_entry.owner is not Owner.GENERATED:
            decision = TAKEN_OVER
        package = self.language.package
        if before is None and owner is Owner.OWNED and is_replaced(self.tree, path, package):
            decision = PACKAGE if wanted else LEFT
        data, present = before.data if before else None, self.tree.present(source)
        origin = None if before is None or present == path else present
        step = Step(path, owner, *decision[:2], before, data, wanted, entry, here, origin, vacated)
        step = replace(step, mode=mode_of(before, entry, last_entry))
        step = self._decided(step, decision, last_entry, base)
        if origin and step.action in _STAYS:
            step = replace(step, action=Action.MOVE, reason=f"was renamed from `{origin}`")
        return step

    def _decision(self, entry: Entry | None, last: Entry | None, file: Snapshot | None) -> Decision:
        """Look up the decision for a file by the hashes of its three states."""
        known = entry or last
        if known is None:
            return YOURS
        wanted, written = (each.state if each else None for each in (entry, last))
        decision = decide(known.owner, wanted, written, state_of(file, entry, last))
        if decision is EDITED and entry and last and file and entry.holds(file):
            return CHANGED_BIT
        return decision

    def _decided(
        self, step: Step, decision: Decision, last_entry: Entry | None, base: str | None
    ) -> Step:
        match decision.action:
            case Action.CREATE | Action.UPDATE:
                return replace(step, after=step.forced)
            case Action.DELETE:
                return replace(step, after=None)
            case Action.ORPHAN if last_entry:
                # Its entry is gone from the spec, and not only its template.
                is_renamed = last_entry.id not in {None, *(f.id for f in self.wanted.values())}
                step = orphan(step, last_entry, self.tree.root, is_renamed)
                if step.path in self.moves.blocked.values():
                    return replace(step, problem=None)
                return self._renamed(step) if step.source else step
            case Action.KEEP | Action.MERGE | Action.CONFLICT if (
                step.owner is Owner.MERGED and step.before and step.wanted
            ):
                return self._merged(step, decision, step.before, step.wanted.text, base)
            case Action.CONFLICT:
                return conflict(step, decision, self.tree.root)
            case Action.KEEP:
                if step.wanted and step.before and has_markers(step.before.data):
                    data = step.before.data
                    return conflict(step, UNRESOLVED, self.tree.root, data, marked_line(data))
                if self._is_found(step, last_entry):
                    return adopted(step, self.tree.root)
                return self._renamed(step)
        return step

    def _is_found(self, step: Step, last_entry: Entry | None) -> bool:
        """Return whether a file existed before a template made it, or was another entry's."""
        if step.wanted is None or step.before is None or step.problem:
            return False
        known = last_entry is not None and not (
            last_entry.orphan and last_entry.id != step.wanted.id
        )
        return not known and step.path not in self.moves.known

    def _renamed(self, step: Step) -> Step:
        """Return the step for a text that the user owns, with old names replaced."""
        before = step.before
        if not (before and self.rewriter and self.language.is_source(step.path)):
            return step
        text = before.text()
        try:
            if text is None:
                raise SyntaxError("it is not UTF-8")
            done = self.rewriter.rewrite(self._recorded(step.path), text)
        except NameTakenError as error:
            return conflict(step, TAKEN, self.tree.root, line=error.line - 1, name=error.name)
        except SyntaxError as error:
            occurs = self.rewriter.mentions(step.text)
            return left(step, error, self.tree.root) if occurs else step
        if done.unsure and not step.problem:
            step = unsure(step, done.unsure, self.tree.root)
        after = before.encode(done.text)
        if after == before.data:
            return step
        return replace(step, action=Action.UPDATE, reason="uses a name that is new", after=after)

    def _recorded(self, path: RelPath) -> RelPath:
        """Return the path in the lock of the file that is to be at a path."""
        return self.moves.recorded(self.moves.sources.get(path, path))

    def _refactored(self, path: RelPath, text: str) -> str:
        """Return a merged file with the new names, or unchanged if it cannot be rewritten."""
        if not (self.rewriter and self.language.is_source(path)):
            return text
        try:
            return self.rewriter.rewrite(self._recorded(path), text).text
        except (SyntaxError, NameTakenError):
            return text

    def _merged(
        self, step: Step, decision: Decision, before: Snapshot, theirs: str, base: str | None
    ) -> Step:
        """Refine the decision on a merged file by comparing its texts."""
        ours, root, marker = before.text(), self.tree.root, marked_line(before.data)
        if decision is YOURS:
            if marker is not None:
                return conflict(step, UNRESOLVED, root, before.data, marker)
            return self._renamed(step)
        if ours is None:
            return conflict(step, NOT_UTF8, root)
        old, mine = (self._refactored(step.path, text) for text in (base or "", ours))
        result = merged(step.path, old, mine, theirs)
        marked = before.encode(result.text)
        if marker is not None:
            return conflict(step, UNRESOLVED, root, marked, marker)
        if decision is NOT_OURS:
            return conflict(step, NOT_OURS, root, marked)
        if base is None:
            return conflict(step, NO_BASE, root, marked)
        if result.conflicts:
            return conflict(step, OVERLAP, root, marked, result.conflicts[0].start)
        if marked == before.data and step.mode == before.mode:
            return replace(step, action=ALREADY.action, reason=ALREADY.reason)
        return replace(step, after=marked)
