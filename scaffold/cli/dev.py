"""The `dev` command."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import click

from scaffold.cli.console import guarded, heed_signals, reports, say, tell
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import updated
from scaffold.cli.report import UP_TO_DATE, Report
from scaffold.commands.dev.development import Development
from scaffold.commands.regenerate import lock_of
from scaffold.commands.watch import WATCHED, saves


@click.command()
@PROJECT
@click.option("--inspector", is_flag=True, help="Open the official Inspector (needs Node.js).")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Listen on this port (default: the spec's, or the next that is free).",
)
@reports
def dev(project: Path, inspector: bool, port: int | None) -> Report:
    """Run the server of PROJECT and restart it on every change.

    If the spec changes, the project is regenerated first. A server without HTTP is not kept
    running: it is only started to check that it works.
    """
    lock_of(project)
    say(f"watching {WATCHED}, and the code in src/; press Ctrl-C to stop")
    development = Development(project, say, inspector, port)
    heed_signals()
    last = None
    with suppress(KeyboardInterrupt), closing(development):
        for _ in saves(project):
            report = guarded(partial(updated, project))
            if report != last and report.verdict != UP_TO_DATE.verdict:
                tell(report)
            last = report
            tell(guarded(development.update))
    return Report(below=["stopped"])
