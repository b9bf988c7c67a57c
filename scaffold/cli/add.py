"""The `add` command."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from scaffold.cli.console import reports
from scaffold.cli.projects import PROJECT, entering
from scaffold.cli.regenerate import updated
from scaffold.cli.report import Report
from scaffold.commands.add import add as added


@click.command()
@click.argument("kind", type=click.Choice(["tool", "resource", "prompt"]))
@click.argument("name")
@PROJECT
@reports
def add(kind: str, name: str, project: Path) -> Report:
    """Add an entry to the spec of PROJECT, and regenerate.

    KIND is tool, resource or prompt. A resource can be given by its URI. The entry is a start with
    comments, and goes below those that are there. All other bytes of the spec stay as they are.
    """
    place, undo = added(project, kind, name)
    try:
        report = updated(project)
    except BaseException:  # including KeyboardInterrupt
        undo()
        raise
    shown = (item for item in report.diagnostics if item.id != "placeholder-description")
    report = replace(report, diagnostics=tuple(shown))  # what comes next is to replace it
    if report.code:
        undo()
        return report
    commands = [*entering(project), "mcp-scaffold check"]
    at = f"{place.path}:{place.line}"
    what = "the entry" if kind == "prompt" else "the entry and its handler"
    return replace(
        report,
        above=[f"added the {kind} `{name}`: {at}", *report.above],
        below=[*report.below, "next:", f"  edit {what}, then run `{' && '.join(commands)}`"],
        data={**report.data, "added": at, "next": commands},
    )
