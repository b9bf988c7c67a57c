"""The report of a run: which files change, and what the edit of the spec means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, Severity, in_order
from scaffold.base.files import SPEC
from scaffold.cli.report import Remark, Report, count, visible
from scaffold.disk.records import RUN

if TYPE_CHECKING:  # not needed if nothing has changed
    from scaffold.commands.regenerate import Update
    from scaffold.disk.apply import Applied
    from scaffold.disk.step import Step
    from scaffold.project.compare import EntryChange

_COLORS = {"create": "green", "delete": "red", "conflict": "red", "orphan": "yellow"}


class Summary(Struct, frozen=True):
    """A run: what was planned and, if files were written, what was done.

    `left_alone` is set if an interrupted run was undone first: the files edited since. With `check`,
    every difference is an error. With `diff`, differences are shown line by line. `command` would
    make the changes.
    """

    update: Update
    applied: Applied | None = None
    left_alone: tuple[str, ...] | None = None
    check: bool = False
    diff: bool = False
    command: str = "mcp-scaffold regenerate"

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that were done or, without a write, would be done, including conflicts."""
        if self.applied is not None:
            return self.applied.steps
        return tuple(s for s in self.update.plan.steps if s.action.writes or s.action == "conflict")

    @property
    def marked(self) -> tuple[Step, ...]:
        """The conflicts that the run has written with markers, for a person to resolve."""
        made = self.applied.beside if self.applied else {}
        return tuple(s for s in self.update.plan.conflicts if self.applied and s.path not in made)

    @property
    def code(self) -> int:
        """The exit code: 1 for unresolved conflicts, or for any difference with `check`."""
        conflicts = self.update.plan.conflicts
        undecided = bool(conflicts) and (self.applied is None or bool(self.marked))
        return int(undecided or (self.check and (bool(self.steps) or bool(self.update.records))))

    @property
    def verdict(self) -> str:
        """What became of the project, in a word or two."""
        if self.applied is None and self.update.plan.conflicts:
            return "in conflict"
        if not (self.steps or self.update.records):
            return "up to date"
        return "out of date" if self.applied is None else "updated"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Unresolved conflicts, orphaned files, and warnings about the edit.

        Orphaned files are reported once; with `check`, those that can be pruned each time.
        """
        plan = self.update.plan
        known = {path for path, e in plan.lock.files.items() if e.orphan} if plan.lock else set()
        listed = {step.path for step in plan.steps if self.check and step.is_left_over}
        problems = [
            step.problem
            for step in plan.steps
            if step.problem and not (step.action == "orphan" and step.path in known - listed)
            if self.applied is None or step.problem.severity is Severity.WARNING
        ]
        return in_order([*problems, *self.update.warnings])


def report(run: Summary) -> Report:
    """Return the report of a run. Its JSON is described by specs/regenerate.schema.json."""
    steps = [] if run.diff else [_step_line(step, run) for step in run.steps]
    blocks = ([*_resumed(run), *_versions(run.update)], steps, map(change_line, run.update.changes))
    above = ("".join(f"{line}\n" for line in block) for block in blocks)
    return Report(
        run.diagnostics,
        run.code,
        run.verdict,
        diff="".join(step.diff() for step in run.steps) if run.diff else "",
        above="\n".join(filter(None, above)),
        below=f"{_outcome(run)}\n",
        data=_data(run),
        remarks=tuple(_remarks(run)),
    )


def _resumed(run: Summary) -> Iterator[str]:
    if run.left_alone is not None:
        yield "an interrupted run was undone first"
    for path in run.left_alone or ():
        yield f"`{visible(path)}` changed after that run and was left alone"
    if run.left_alone:
        yield f"files that it had replaced are in `{RUN}/`"


def _step_line(step: Step, run: Summary) -> str:
    word, note = f"{step.action:9}", ""
    aside = run.applied.beside.get(step.path) if run.applied else None
    if aside:
        word, note = "force    ", f"your version is now {visible(aside)}"
    elif step.source:
        note = f"from {visible(step.source)}"
    elif step.action == "create" and step.owner == "owned" and step.entry and step.entry.about:
        note = "" if _is_written(step, run) else "a stub for you to fill in"
    elif step.action == "conflict" and run.applied:
        word, note = "mark     ", "resolve the merge markers in it"
    shown = click.style(word, fg=_COLORS.get(step.action))
    return f"{shown} {visible(step.path)}" + (f"  ({note})" if note else "")


def _is_written(step: Step, run: Summary) -> bool:
    """Return whether a file is a handler that needs no more than the spec says."""
    about = step.entry.about if step.entry else None
    handlers = run.update.generated.project.handlers
    return any(one.http and one.about == about for one in handlers)


def change_line(change: EntryChange) -> str:
    """Return a line such as `search_blog: + language (required string), top_k: at most 20 → at most 50`."""
    kind = "" if change.kind == "tool" else f"{change.kind} "
    name = f"{change.before} → {change.name}" if change.before else change.name
    words = {"added": ["new"], "removed": ["gone"]}.get(change.how, [])
    details = ", ".join([*words, *change.details])
    return visible(f"{kind}{name}" + (f": {details}" if details else ""))


def _versions(update: Update) -> Iterator[str]:
    if update.version != __version__:
        before = visible(update.version)
        yield f"mcp-scaffold {before} → {__version__}: templates may have changed"


def _outcome(run: Summary) -> str:
    """Return what became of the files, as the last line of the report."""
    conflicts, files = len(run.update.plan.conflicts), count(len(run.steps), "file")
    if not run.steps:
        return _of_records(run) if run.update.records else "already up to date"
    if run.applied is not None:
        return f"{files} written"
    if conflicts and not run.check:
        return f"{count(conflicts, 'conflict')}: nothing was written"
    return f"{files} out of date: run `{run.command}`" if run.check else f"{files} would change"


def _of_records(run: Summary) -> str:
    """Return the outcome if only records are out of date."""
    names = ", ".join(f"`{path}`" for path in run.update.records)
    if run.applied is not None:
        return f"updated {names}"
    return f"{names} out of date: run `{run.command}`"


def _data(run: Summary) -> dict[str, object]:
    document = run.update.generated.loaded.document
    return {
        "written": run.applied is not None,
        "version": {"before": run.update.version, "now": __version__},
        "changes": [
            {
                "path": step.path,
                "action": step.action,
                "owner": step.owner,
                "reason": step.reason,
                "source": step.source,
                **({"diff": step.diff()} if run.diff else {}),
            }
            for step in run.steps
        ],
        "records": list(run.update.records),
        "consequences": [
            {
                "kind": c.kind,
                "name": c.name,
                "change": c.how,
                "before": c.before,
                "details": c.details,
                "line": document.place(c.pointer).line if c.pointer else None,
            }
            for c in run.update.changes
        ],
    }


def _remarks(run: Summary) -> Iterator[Remark]:
    """Yield remarks for edits of the spec, then for files."""
    level, title, what = "notice", "changed", ""
    if run.check:
        level, title, what = "error", "stale", f": run `{run.command}`"
    root, document = run.update.root, run.update.generated.loaded.document
    for change in run.update.changes:
        place = document.place(change.pointer) if change.pointer else Place(str(root / SPEC))
        yield Remark(level, "edited", place, change_line(change))
    for step in run.steps:
        if not step.problem:
            line = " ".join(click.unstyle(_step_line(step, run)).split())
            yield Remark(level, title, _place(step, run), line + what)
    if not run.steps:
        for path in run.update.records:
            text = f"`{path}` {'out of date' if run.check else 'updated'}{what}"
            yield Remark(level, title, Place(str(root / path)), text)


def _place(step: Step, run: Summary) -> Place:
    """Return the first difference in an existing file; for a new file, the spec."""
    if step.before is None:
        return Place(str(run.update.root / SPEC))
    return Place(str(run.update.root / (step.source or step.path)), step.line)
