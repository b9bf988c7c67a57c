"""The report of a run: which files change, and what the edit of the spec means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from posixpath import commonpath
from typing import TYPE_CHECKING

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, Severity, in_order
from scaffold.base.files import SPEC
from scaffold.cli.report import Report, blocks, count
from scaffold.disk.records import RUN

if TYPE_CHECKING:  # not needed if nothing has changed
    from scaffold.changes.compare import EntryChange
    from scaffold.commands.regenerate import Regenerated
    from scaffold.disk.step import Step


def report_of(
    run: Regenerated,
    check: bool = False,
    diff: bool = False,
    command: str = "mcp-scaffold regenerate",
) -> Report:
    """Return the report of a run. Its JSON is described by specs/regenerate.schema.json.

    With `check`, every difference is an error. With `diff`, differences are shown line by line.
    `command` would make the changes.
    """
    update, steps = run.update, run.steps
    advice = f": run `{command}`" if check else ""
    is_behind = bool(steps or update.records)
    is_broken = any(warning.id == "gone-name" for warning in update.warnings)
    verdict = "up to date"
    if run.applied is None and update.plan.conflicts:
        verdict = "in conflict"
    elif is_behind:
        verdict = "out of date" if run.applied is None else "updated"
    return Report(
        _diagnostics(run, check),
        int(run.is_undecided or (check and (is_behind or is_broken))),
        verdict,
        diff="".join(step.diff() for step in steps) if diff else "",
        above=blocks(
            _before(run),
            () if diff else (_step_line(step, run) for step in steps),
            map(change_line, update.changes),
        ),
        below=[_outcome(run, check) + (advice if is_behind else "")],
        data=_data(run, diff),
        remarks=[*_remarks(run, check, advice)],
    )


def _diagnostics(run: Regenerated, check: bool) -> tuple[Diagnostic, ...]:
    """Return unresolved conflicts, orphaned files, and warnings about the edit.

    Orphaned files are reported once; with `check`, those that can be pruned each time.
    """
    plan = run.update.plan
    known = {path for path, e in plan.lock.files.items() if e.orphan} if plan.lock else set()
    listed = {step.path for step in plan.steps if check and step.is_left_over}
    problems = [
        step.problem
        for step in plan.steps
        if step.problem and not (step.action == "orphan" and step.path in known - listed)
        if run.applied is None or step.problem.severity is Severity.WARNING
    ]
    edited = left_alone(run.update.root, run.left_alone or ())
    return in_order([*problems, *run.update.warnings, *edited])


def left_alone(root: Path, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield warnings about files of an interrupted run that have been edited since."""
    for path in paths:
        message = f"`{path}` changed after the interrupted run and was left alone"
        hint = f"compare it with version control; replaced files are in `{RUN}/`"
        place = Place(str(root / path))
        yield Diagnostic("left-alone", message, place, hint, Severity.WARNING)


def _before(run: Regenerated) -> Iterator[str]:
    if run.left_alone is not None:
        yield "an interrupted run was undone first"
    if (before := run.update.version) != __version__:
        yield f"mcp-scaffold {before} → {__version__}: templates may have changed"


def _step_line(step: Step, run: Regenerated) -> str:
    word, note = f"{step.action:9}", ""
    if step.aside:
        word, note = "force    ", f"your version is now {step.aside}"
    elif step.source:
        note = f"from {step.source}"
    elif step.action == "create" and step.owner == "owned" and step.entry and step.entry.about:
        note = "" if _is_written(step, run) else "a stub for you to fill in"
    elif step.action == "conflict" and run.applied:
        word, note = "mark     ", "resolve the merge markers in it"
    return f"{word} {step.path}" + (f"  ({note})" if note else "")


def _is_written(step: Step, run: Regenerated) -> bool:
    """Return whether a file is a handler that needs no more than the spec says."""
    about = step.entry.about if step.entry else None
    tools = run.update.generated.loaded.spec.tools
    return any(tool.handler and tool.handler.http and tool.about == about for tool in tools)


def change_line(change: EntryChange) -> str:
    """Return a line such as `search_blog: + language (required string), top_k: at most 20 → at most 50`."""
    kind = "" if change.kind == "tool" else f"{change.kind} "
    name = f"{change.before} → {change.name}" if change.before else change.name
    words = {"added": ["new"], "removed": ["gone"]}.get(change.how, [])
    details = ", ".join([*words, *change.details])
    return f"{kind}{name}" + (f": {details}" if details else "")


def _outcome(run: Regenerated, check: bool) -> str:
    """Return the last line of the report: the outcome for the files."""
    conflicts, files = len(run.update.plan.conflicts), count(len(run.steps), "file")
    records = ", ".join(f"`{path}`" for path in run.update.records)
    if not run.steps:
        outdated = f"{records} out of date" if run.applied is None else f"updated {records}"
        return outdated if records else "already up to date"
    if run.applied is not None:
        return f"{files} written"
    if conflicts and not check:
        return f"{count(conflicts, 'conflict')}: nothing was written{_together(run)}"
    return f"{files} out of date" if check else f"{files} would change"


def _together(run: Regenerated) -> str:
    """Return how to overwrite several generated files at once, if they are in one directory."""
    conflicts = run.update.plan.conflicts
    folder = commonpath([step.path.rpartition("/")[0] for step in conflicts])
    if not folder or len(conflicts) == 1 or any(s.owner != "generated" for s in conflicts):
        return ""
    return f"; `--force {folder}` overwrites all of them"


def _data(run: Regenerated, diff: bool) -> dict[str, object]:
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
                **({"diff": step.diff()} if diff else {}),
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


def _remarks(run: Regenerated, check: bool, advice: str) -> Iterator[Diagnostic]:
    """Yield an annotation for a pull request at the first difference of each file."""
    id, severity = ("stale", Severity.ERROR) if check else ("changed", Severity.NOTE)
    root = run.update.root
    for step in run.steps:
        if not step.problem:
            path = SPEC if step.before is None else step.source or step.path
            line = None if step.before is None else step.line
            text = " ".join(_step_line(step, run).split())
            yield Diagnostic(id, text + advice, Place(str(root / path), line), severity=severity)
    for path in run.update.records if not run.steps else ():
        text = f"`{path}` {'out of date' if check else 'updated'}{advice}"
        yield Diagnostic(id, text, Place(str(root / path)), severity=severity)
