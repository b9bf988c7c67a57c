"""The `regenerate` command, including `--watch` and `--abort`."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from scaffold.base.diagnostics import in_order
from scaffold.base.files import RelPath
from scaffold.cli.console import guarded, reports, say, tell
from scaffold.cli.projects import PROJECTS, Projects, each
from scaffold.cli.report import UP_TO_DATE, Report
from scaffold.disk.lock import standing
from scaffold.project.inputs import is_up_to_date


def in_project(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[RelPath, ...]:
    """Return the values of an option as paths in the project. Raises click.BadParameter."""
    try:
        return tuple(RelPath(posixpath.normpath(value.replace("\\", "/"))) for value in values)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from error


def overriding(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that resolve conflicts: `force` and `accept_conflicts`."""
    force = click.option(
        "--force",
        metavar="PATH",
        multiple=True,
        callback=in_project,
        help="Overwrite this file, or all conflicts in this directory; your version is saved as .orig.",
    )
    words = "Write conflicts with merge markers."
    return force(click.option("--accept-conflicts", is_flag=True, help=words)(command))


def looking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to see what a run would do: `dry_run` and `diff`."""
    words = "Don't write anything; show"
    diff = click.option("--diff", is_flag=True, help=f"{words} a diff.")
    dry_run = click.option("--dry-run", is_flag=True, help=f"{words} what would be done.")
    return dry_run(diff(command))


@click.command()
@PROJECTS
@click.option("--check", is_flag=True, help="Don't write anything; exit with 1 if out of date.")
@looking
@overriding
@click.option("--prune", is_flag=True, help="Also delete unedited files that are not needed.")
@click.option("--watch", is_flag=True, help="Keep running, and regenerate on every change.")
@click.option("--abort", is_flag=True, help="Undo an interrupted run instead of finishing it.")
@reports
def regenerate(projects: Projects, watch: bool, abort: bool, **options: Any) -> Report:
    """Update each PROJECT to match its spec. Your edits are preserved.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects, which are updated one after the other.
    """
    if abort and (watch or any(options.values())):
        raise click.UsageError("--abort cannot be combined with other options")
    looks = options["check"] or options["dry_run"] or options["diff"]
    if (options["force"] or options["accept_conflicts"]) and (looks or watch):
        raise click.UsageError("--force and --accept-conflicts need a single run that writes files")
    run = undone if abort else partial(updated, **options)
    if not watch:
        return each(run, projects)
    if projects.several:
        raise click.UsageError("--watch needs exactly one PROJECT")
    return repeated(run, projects.paths[0])


def undone(project: Path) -> Report:
    """Undo an interrupted run and report files left alone."""
    from scaffold.cli.regenerated import left_alone
    from scaffold.disk.apply import recover

    edited = recover(project, anywhere=True)
    if edited is None:
        return Report(verdict="not interrupted", below=["there is no interrupted run"])
    warnings = [*left_alone(project, edited)]
    return Report(warnings, verdict="undone", below=["the interrupted run was undone"])


def updated(
    project: Path,
    check: bool = False,
    dry_run: bool = False,
    diff: bool = False,
    force: tuple[RelPath, ...] = (),
    accept_conflicts: bool = False,
    prune: bool = False,
) -> Report:
    """Update the project, or only plan it, and return the report."""
    if not (force or accept_conflicts) and is_up_to_date(project):
        from scaffold.changes.imports import unresolved_now

        broken = [*unresolved_now(project)]
        warnings = in_order([*broken, *standing(project)])
        return replace(UP_TO_DATE, diagnostics=warnings, code=int(check and bool(broken)))
    from scaffold.cli.regenerated import report_of  # most runs end above
    from scaffold.commands.regenerate import Regenerated, plan, regenerate, unfinished

    if not (check or dry_run or diff):
        return report_of(regenerate(project, force, accept_conflicts, prune))
    if interruption := unfinished(project):
        return Report([interruption], 1, "interrupted")
    command = "mcp-scaffold regenerate --prune" if prune else "mcp-scaffold regenerate"
    return report_of(Regenerated(plan(project, prune=prune)), check, diff, command)


def repeated(
    run: Callable[[Path], Report], project: Path, then: Callable[[], None] | None = None
) -> Report:
    """Run now and after every save in the project, then call `then`, until Ctrl-C."""
    from scaffold.commands.regenerate import lock_of
    from scaffold.commands.watch import saves

    lock_of(project)
    say(f"watching {project}; press Ctrl-C to stop")
    last = None
    with suppress(KeyboardInterrupt):
        for _ in saves(project):
            report = guarded(partial(run, project))
            is_still_well = report.verdict == UP_TO_DATE.verdict and last and not last.code
            if report != last and not is_still_well:
                tell(report)
            last = report
            if then and (failure := guarded(then)) != Report():
                tell(failure)
    return Report()
