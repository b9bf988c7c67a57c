"""The `dev` command."""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import click

from scaffold.cli.console import guarded, interrupted_by_signals, tell
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import write
from scaffold.cli.report import Report, visible


@click.command()
@PROJECT
@click.option("--inspector", is_flag=True, help="Open the official Inspector (needs Node.js).")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Listen on this port (default: the spec's, or the next that is free).",
)
def dev(project: Path, inspector: bool, port: int | None) -> None:
    """Run the server of PROJECT and restart it on every change.

    If the spec changes, the project is regenerated first. A server without HTTP is not kept
    running: it is only started to check that it works.
    """
    report = guarded(partial(_run, project, inspector, port))
    tell(report)
    sys.exit(report.code)


def _run(project: Path, inspected: bool, port: int | None) -> Report:
    from scaffold.commands.dev.development import Development
    from scaffold.commands.regenerate import lock_of
    from scaffold.commands.watch import WATCHED, saves

    lock_of(project)
    _say(f"watching {WATCHED}, and the code in src/; press Ctrl-C to stop")
    development = Development(project, _say, inspected, port)

    def restarted() -> Report:
        development.update()
        return Report()

    with suppress(KeyboardInterrupt), interrupted_by_signals(), closing(development):
        for _ in saves(project, development.code):
            tell(guarded(partial(_regenerated, project)))
            tell(guarded(restarted))
    _say("stopped")
    return Report()


def _regenerated(project: Path) -> Report:
    """Update the project if its spec or templates have changed."""
    from scaffold.project.inputs import is_up_to_date

    return Report() if is_up_to_date(project) else write(project, (), False, False)


def _say(line: str) -> None:
    click.echo(visible(line), err=True)
