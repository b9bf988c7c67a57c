"""The `add` command."""

from __future__ import annotations

from pathlib import Path

import click

from scaffold.cli.console import Ended, exits
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import write


@click.command()
@click.argument("kind", type=click.Choice(["tool", "resource", "prompt"]))
@click.argument("name")
@PROJECT
@exits
def add(kind: str, name: str, project: Path, form: str) -> Ended:
    """Add an entry to the spec of PROJECT, and regenerate.

    KIND is tool, resource or prompt. The entry is a start with comments, and goes below those
    that are there. All other bytes of the spec stay as they are.
    """
    from scaffold.cli.report import visible
    from scaffold.commands.add import add as added

    place = added(project, kind, name)
    ended = write(project, form, (), accept_conflicts=False, prune=False)
    if form != "human":
        return ended
    said = f"added the {kind} `{visible(name)}`: {place.path}:{place.line}\n"
    then = "next:\n  edit the entry and its handler, then run `mcp-scaffold check`\n"
    return Ended(ended.code, ended.out, f"{said}{ended.err}{then}", ended.verdict)
