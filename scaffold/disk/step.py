"""The planned action for one path, and the problem to report, if any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.files import Owner, RelPath, RenderedFile
from scaffold.disk.decision import BLOCKED, EDITED, UNTOUCHED, Action, Decision
from scaffold.disk.diff import hunks, lines, unified
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Snapshot, folded, is_binary

_NAMED = 5
"""The maximum number of names listed in a message."""


class Step(Struct, frozen=True):
    """The planned action for one path, and its reason.

    `before` is the existing file, at `source` if it moves from there; `after` is the new contents
    of `path`. `here` is the file that is at `path` now; if it is a different file, it moves to
    `vacated`. The old version of a forced file is saved at `aside`. `wanted` is the rendered file,
    `entry` the new entry in the lock. A conflict has a `problem` and, for a merged file, `marked`:
    the text with conflict markers. Any other problem is a warning. `mode` are the permission bits
    to write.
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
    aside: RelPath | None = None
    marked: bytes | None = None
    problem: Diagnostic | None = None
    mode: int = 0o666

    @property
    def forced(self) -> bytes | None:
        """The template's text for the path, with the line ends of the present file."""
        if self.wanted is None:
            return None
        if self.wanted.data is not None:
            return self.wanted.data
        text = self.wanted.text
        return self.before.encode(text) if self.before else text.encode()

    @property
    def can_be_forced(self) -> bool:
        """Whether the template's text can be forced without losing a user's text."""
        return self.wanted is not None and self.reason != BLOCKED.reason

    @property
    def is_left_over(self) -> bool:
        """Whether the path is a merged file that is no longer needed and was never edited."""
        unedited = self.before and self.entry and self.entry.holds(self.before)
        return self.action is Action.ORPHAN and self.owner is Owner.MERGED and bool(unedited)

    @property
    def text(self) -> str:
        """The existing file, as text for people."""
        return folded(self.before.data) if self.before else ""

    @property
    def line(self) -> int | None:
        """The first line, from 1, at which the existing file differs from the new contents."""
        if self._is_binary(self.after):
            return None
        old, new = lines(self.text), lines(folded(self.after or b""))
        changes = hunks(old, new)
        return min(changes[0].start + 1, max(len(old), 1)) if changes else None

    def diff(self) -> str:
        """Return the change as a unified diff; for a conflict, up to the marked or forced text.

        Line ends are folded. Changes without lines, such as a move, are shown as in git's diffs.
        """
        after = self.marked or self.forced if self.action is Action.CONFLICT else self.after
        old, new = f"a/{self.source or self.path}", f"b/{self.path}"
        names = old if self.before else "/dev/null", new if after is not None else "/dev/null"
        if self._is_binary(after) and after != (self.before and self.before.data):
            lines = f"Binary files {names[0]} and {names[1]} differ\n"
        else:
            lines = unified(self.text, folded(after or b""), *names)
        head = f"diff --git {old} {new}\n"
        if self.action is Action.MOVE:
            same = "" if lines else "similarity index 100%\n"
            return f"{head}{same}rename from {old[2:]}\nrename to {new[2:]}\n{lines}"
        if not lines and self.action is Action.UPDATE and self.before:
            return f"{head}old mode 100{self.before.mode:o}\nnew mode 100{self.mode:o}\n"
        if not lines and self.action in (Action.CREATE, Action.DELETE):
            word = "new" if self.action is Action.CREATE else "deleted"
            return f"{head}{word} file mode 100644\n"
        return lines

    def _is_binary(self, after: bytes | None) -> bool:
        return is_binary(after or b"") or is_binary(self.before.data if self.before else b"")


def conflict(
    step: Step,
    decision: Decision,
    root: Path,
    marked: bytes | None = None,
    line: int | None = None,
    source: str | None = None,
    name: str | None = None,
) -> Step:
    """Return the step as a conflict; `line`, from 0, is the first one concerned, if known.

    `source` is the file that should move to the path; `name` is one that is already in use.
    """
    where = step.source or step.path
    place, text = Place(str(root / where)), lines(step.text)
    if decision is EDITED and (first := replace(step, after=step.forced).line):
        line = first - 1
    if line is not None and line < len(text):
        place = Place(str(root / where), line + 1, 1, excerpt=text[line].rstrip("\r\n"))
    message = f"`{where}` {decision.reason.format(name=name)}"
    hint = decision.hint.format(path=step.path, source=source, name=name)
    problem = Diagnostic(decision.id, message, place, hint)
    return replace(
        step, action=Action.CONFLICT, reason=decision.reason, marked=marked, problem=problem
    )


def orphan(step: Step, last: Entry, root: Path, is_renamed: bool) -> Step:
    """Return the step with a warning: the file is kept although it is no longer needed.

    `is_renamed` says that the entry that it belongs to is gone, and may have another name now.
    """
    edited = step.before is None or not last.holds(step.before)
    of = f", the file of `{last.about}`," if last.about else ""
    holds = "contains your changes" if edited else "has none of your changes"
    hint = "move what you need elsewhere, then delete it" if edited else "delete it"
    if not edited and step.owner is Owner.MERGED:
        hint = "delete it, or run `mcp-scaffold regenerate --prune`"
    if edited and is_renamed:
        hint = f"if `{last.about}` was renamed, add `renamedFrom` to its entry; otherwise {hint}"
    message = f"`{step.path}`{of} is no longer generated, but {holds}"
    step = replace(step, entry=replace(last, orphan=True))
    return _warned(step, root, "orphan", message, hint)


def deleted(step: Step) -> Step:
    """Turn the step for a leftover file into one that deletes it."""
    return replace(
        step,
        action=UNTOUCHED.action,
        reason=UNTOUCHED.reason,
        after=None,
        entry=None,
        problem=None,
    )


def unsure(step: Step, names: Sequence[tuple[int, str]], root: Path) -> Step:
    """Return the step with a warning: some names may be old ones, and were left alone."""
    listed = ", ".join(f"`{name}` (line {line})" for line, name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    message = f"`{step.path}` may use old names: {listed}{more}"
    hint = "they were left alone, as their meaning is unclear: rename them where necessary"
    return _warned(step, root, "old-names", message, hint, names[0][0])


def adopted(step: Step, root: Path) -> Step:
    """Return the step with a warning: an existing file is used in place of a new one."""
    about = f" for `{step.wanted.about}`" if step.wanted and step.wanted.about else ""
    message = f"using the existing file `{step.path}`{about}"
    hint = "if it is something else, move it away and run again"
    return _warned(step, root, "found-there", message, hint)


def left(step: Step, error: SyntaxError, root: Path) -> Step:
    """Return the step with a warning: it may use old names, and its code cannot be parsed."""
    message = f"`{step.path}` may use old names, but cannot be parsed: {error.msg}"
    return _warned(step, root, "old-names", message, "rename them by hand")


def _warned(
    step: Step, root: Path, id: str, message: str, hint: str, line: int | None = None
) -> Step:
    place = Place(str(root / step.path), line)
    return replace(step, problem=Diagnostic(id, message, place, hint, Severity.WARNING))
