"""What a run would do with one path, and the problem to report, if any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.disk.decision import BLOCKED, Action, Decision
from scaffold.disk.diff import hunks, lines, unified
from scaffold.disk.lock import Entry
from scaffold.disk.tree import Snapshot
from scaffold.files import Owner, RelPath, RenderedFile

_NAMED = 5

"""The maximum number of names listed in a message."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a run would do with one path, and why.

    `before` is the file found, at `source` if it moves from there; `after` is the new contents of
    `path`. `here` is the present file at `path`; if that is another one, it moves to `vacated`.
    `wanted` is what the templates ask for, `entry` the new entry in the lock. A conflict has a
    `problem` and, for a merged file, `marked`: the text with conflict markers. Any other problem is
    a warning. If `is_kept`, the replaced file is saved beside the new one.
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
    is_kept: bool = False

    @property
    def forced(self) -> bytes | None:
        """The template's text for the path, with the line ends of the present file."""
        if self.wanted is None:
            return None
        text = self.wanted.text
        return self.before.encode(text) if self.before else text.encode()

    @property
    def can_be_forced(self) -> bool:
        """Whether the template's text can be forced: not if a user's file should move here."""
        return self.wanted is not None and self.reason != BLOCKED.reason

    @property
    def text(self) -> str:
        """The file found, as text for people."""
        return _readable(self.before.data if self.before else None)

    @property
    def line(self) -> int | None:
        """The first line, from 1, at which the file found differs from the new contents."""
        was, now = lines(self.text), lines(_readable(self.after))
        found = hunks(was, now)
        return min(found[0].start + 1, max(len(was), 1)) if found else None

    def diff(self) -> str:
        """Return the change as a unified diff; for a conflict, up to the marked or forced text.

        Line ends are folded.
        """
        after = self.marked or self.forced if self.action is Action.CONFLICT else self.after
        old = f"a/{self.source or self.path}" if self.before else "/dev/null"
        new = f"b/{self.path}" if after is not None else "/dev/null"
        return unified(self.text, _readable(after), old, new)


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
    if line is not None and line < len(text):
        place = Place(str(root / where), line + 1, 1, excerpt=text[line].rstrip("\r\n"))
    message = f"`{where}` {decision.reason.format(name=name)}"
    hint = decision.hint.format(path=step.path, source=source, name=name)
    problem = Diagnostic(decision.id, message, place, hint)
    return replace(
        step, action=Action.CONFLICT, reason=decision.reason, marked=marked, problem=problem
    )


def orphan(step: Step, last: Entry, root: Path) -> Step:
    """Return the step with a warning: the file stays, though nothing asks for it."""
    edited = step.before is None or step.before.sha256 != last.sha256
    of = f", the file of `{last.about}`," if last.about else ""
    holds = "contains your changes" if edited else "contains nothing of yours"
    hint = "move what you need elsewhere, then delete it" if edited else "delete it"
    if edited and last.about:
        hint = f"if `{last.about}` was renamed, add `renamedFrom` to its entry; otherwise {hint}"
    message = f"`{step.path}`{of} is no longer generated, but {holds}"
    step = replace(step, entry=replace(last, orphan=True))
    return _warned(step, root, "orphan", message, hint)


def unsure(step: Step, names: Sequence[tuple[int, str]], root: Path) -> Step:
    """Return the step with a warning: some names may be old ones, and were left alone."""
    listed = ", ".join(f"`{name}` (line {line})" for line, name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    message = f"`{step.path}` may use old names: {listed}{more}"
    hint = "they were left alone, as their meaning is unclear: rename them where necessary"
    return _warned(step, root, "old-names", message, hint, names[0][0])


def adopted(step: Step, root: Path) -> Step:
    """Return the step with a warning: an existing file is used for what the templates ask for."""
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


def _readable(data: bytes | None) -> str:
    return (data or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
