"""The `init` command."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.cli.console import PATH, new_folder, reports
from scaffold.cli.report import Report, lines, visible

if TYPE_CHECKING:
    from scaffold.commands.new import Created
    from scaffold.commands.starter import Starter

_NAME = "my-server"
"""The name of a server that nobody has named."""


@click.command()
@click.argument("dest", metavar="[DIR]", type=PATH, required=False, callback=new_folder)
@click.option(
    "--starter",
    "kind",
    metavar="STARTER",
    help="Start from minimal (the default), api, files, database or inventory.",
)
@click.option("--name", help="Name of the server (default: the directory's name).")
@click.option("--yes", "-y", is_flag=True, help="Don't ask; use the defaults.")
@reports
def init(dest: Path | None, kind: str | None, name: str | None, yes: bool) -> Report:
    """Create a working project in DIR. The default is a directory named after the server.

    The project is based on a starter: a spec with complete handlers and passing tests. In a
    terminal, init asks for the name and the starter.
    """
    from scaffold.commands.starter import init as made
    from scaffold.disk.create import refuse_unless_vacant

    asks = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    name = _name(name, dest, asks)
    dest = dest or Path(name)
    refuse_unless_vacant(dest)
    starter = _starter(kind, asks)
    return started(made(starter, name, dest))


def started(created: Created) -> Report:
    """Return the report about a new project: the warnings, then the next commands."""
    from scaffold.commands.starter import TRY, TRY_PIP, TRY_PLAIN

    generated, folder = created.generated, str(created.dest)
    commands = [TRY_PLAIN] if "python-stdlib" in generated.packs else [TRY]
    if commands == [TRY] and not shutil.which("uv"):
        commands = list(TRY_PIP)
    if commands[-1].split()[-1] not in generated.files:
        commands = []
    enter = [f"cd {shlex.quote(folder)}"] if folder != "." else []
    said = [f"{generated.project.name}: created in {folder}", "next:"]
    said += [f"  {line}" for line in (*enter, *(commands or ["see README.md"]))]
    return Report(
        created.warnings,
        below=lines(said),
        data={"project": folder, "name": generated.project.name, "next": [*enter, *commands]},
    )


def _name(given: str | None, dest: Path | None, asks: bool) -> str:
    """Return the name of the server: given, or that of the directory, or asked for."""
    from scaffold.sources.source import server_name

    if given is not None:
        return _checked(given)
    if dest is not None:
        return server_name(Path(os.path.abspath(dest)).name)
    if not asks:
        return _NAME
    name: str = click.prompt("Name of the server", _NAME, value_proc=_checked, err=True)
    return name


def _checked(name: str) -> str:
    """Return a name that a spec allows. Raises click.UsageError for any other."""
    from scaffold.sources.source import server_name

    if server_name(name) != name:
        hint = f"did you mean `{server_name(name)}`?"
        allowed = "lowercase letters, digits and single dashes"
        raise click.UsageError(f"invalid server name `{visible(name)}`: use {allowed}; {hint}")
    return name


def _starter(given: str | None, asks: bool) -> Starter:
    from scaffold.commands.starter import DEFAULT, starters

    known = {starter.name: starter for starter in starters()}

    def chosen(name: str) -> Starter:
        if name not in known:
            message = f"unknown starter `{visible(name)}` (expected {', '.join(known)})"
            raise click.UsageError(message)
        return known[name]

    if given is not None or not asks:
        return chosen(given or DEFAULT)
    for starter in known.values():
        click.echo(f"  {starter.name:9} {starter.summary}", err=True)
    answer: Starter = click.prompt("Starter", DEFAULT, value_proc=chosen, err=True)
    return answer
