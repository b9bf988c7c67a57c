"""The `regenerate` command, including `--watch` and `--abort`."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaffold.cli.console import PATH, coloured, exits, guarded, show, tell

if TYPE_CHECKING:
    from scaffold.cli.summary import Summary
    from scaffold.files import RelPath


_INTERRUPTED = 130  # as shells report SIGINT


def in_project(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[RelPath, ...]:
    """Return the values of an option as paths in the project. Raises click.BadParameter."""
    from scaffold.files import RelPath

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


@click.command()
@click.argument("project", type=PATH, default=".")
@click.option("--check", is_flag=True, help="Don't write anything; exit with 1 if out of date.")
@click.option("--dry-run", is_flag=True, help="Don't write anything; show what would be done.")
@click.option("--diff", is_flag=True, help="Don't write anything; show a diff.")
@overriding
@click.option("--watch", is_flag=True, help="Keep running, and regenerate on every change.")
@click.option("--abort", is_flag=True, help="Undo an interrupted run instead of finishing it.")
@exits
def regenerate(
    project: Path,
    form: str,
    check: bool,
    dry_run: bool,
    diff: bool,
    force: tuple[RelPath, ...],
    accept_conflicts: bool,
    watch: bool,
    abort: bool,
) -> int:
    """Update PROJECT to match its spec. Your edits are preserved."""
    looks = check or dry_run or diff
    if abort:
        if looks or watch or force or accept_conflicts:
            raise click.UsageError("--abort cannot be combined with other options")
        return undo(project, form)
    if (force or accept_conflicts) and (looks or watch):
        raise click.UsageError("--force and --accept-conflicts need a single run that writes files")
    if looks:
        run = partial(look, project, form, check, diff)
    else:
        run = partial(write, project, form, force, accept_conflicts)
    return repeated(run, project, form) if watch else interruptible(run, project)


def interruptible(run: Callable[[], int], project: Path) -> int:
    """Run and return the exit code; after Ctrl-C, report whether files were written."""
    try:
        return run()
    except KeyboardInterrupt:
        from scaffold.disk.journal import pending

        done = "some files are already written" if pending(project) else "nothing was changed"
        tell("", f"interrupted: {done}; run again to finish\n")
        return _INTERRUPTED


def undo(project: Path, form: str) -> int:
    """Undo an interrupted run, report files left alone, and return the exit code."""
    from scaffold.diagnostics import Diagnostic, Place, Severity
    from scaffold.disk.apply import abort

    left, found = abort(project), []
    for path in left or ():
        message, place = f"`{path}` changed after the run and was left alone", str(project / path)
        hint = "compare it with version control"
        found.append(Diagnostic("left-alone", message, Place(place), hint, Severity.WARNING))
    show(found, form)
    said = "there is no interrupted run\n" if left is None else "the interrupted run was undone\n"
    tell("", said if form == "human" else "")
    return 0


def look(project: Path, form: str, check: bool, diff: bool) -> int:
    """Report what a run would do, and return the exit code."""
    if says_nothing_to_do(project, form):
        return 0
    from scaffold.cli.summary import Summary
    from scaffold.regenerate import plan, unfinished

    if found := unfinished(project):
        show([found], form)
        return 1
    return told(Summary(plan(project), check=check, diff=diff), form)


def write(
    project: Path, form: str, force: tuple[RelPath, ...] = (), accept_conflicts: bool = False
) -> int:
    """Update the project, report what was done, and return the exit code."""
    if not (force or accept_conflicts) and says_nothing_to_do(project, form):
        return 0
    from scaffold import regenerate
    from scaffold.cli.summary import Summary

    made = regenerate.regenerate(project, force, accept_conflicts)
    return told(Summary(made.update, made.applied, made.resumed), form)


def repeated(run: partial[int], project: Path, form: str) -> int:
    """Run now and after every save, until Ctrl-C."""
    from scaffold.regenerate import lock_of
    from scaffold.watch import saves

    lock_of(project)
    with suppress(KeyboardInterrupt):
        for _ in saves(project):
            guarded(run, form)
    return 0


def says_nothing_to_do(project: Path, form: str) -> bool:
    """Return whether the project is up to date, and report it; avoid slow imports."""
    from scaffold.inputs import is_up_to_date

    if not is_up_to_date(project):
        return False
    from scaffold.cli.summary import nothing

    tell(*nothing(form))
    return True


def told(run: Summary, form: str) -> int:
    """Print the report of a run, and return its exit code."""
    from scaffold.cli.summary import text

    tell(*text(run, form, coloured(sys.stdout), coloured(sys.stderr)))
    return run.code
