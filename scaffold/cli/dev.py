"""The `dev` command."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

import click

from scaffold.cli.console import heed_signals, reports, say
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import repeated, updated
from scaffold.cli.report import Report
from scaffold.commands.dev.development import Development
from scaffold.commands.dev.serving import serving


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
    if port and (served := serving(project)).is_web:
        served.on(port)  # A program that has the port is reported once, at the start.
    development = Development(project, say, inspector, port)
    heed_signals()
    with suppress(KeyboardInterrupt), closing(development):
        repeated(updated, project, development.update)
    return Report(below=["stopped"])
