"""The `init` command."""

from __future__ import annotations

import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from scaffold.cli.answers import PACK, answering, refuse_lone_answers
from scaffold.cli.console import PATH, new_folder, reports
from scaffold.cli.report import Report, lines, visible

if TYPE_CHECKING:
    from scaffold.commands.new import Created
    from scaffold.commands.starter import Starter
    from scaffold.teams.copying import Asked

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
@PACK
@click.option("--yes", "-y", is_flag=True, help="Don't ask; use the defaults.")
@reports
@answering
def init(
    dest: Path | None,
    kind: str | None,
    name: str | None,
    source: str | None,
    yes: bool,
    asked: Asked,
) -> Report:
    """Create a working project in DIR. The default is a directory named after the server.

    The project is based on a starter: a spec with complete handlers and passing tests. In a
    terminal, init asks for the name and the starter.
    """
    from scaffold.commands.starter import init as made
    from scaffold.disk.create import refuse_unless_vacant

    refuse_lone_answers(source, asked)
    asks = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    name = _name(name, dest, asks)
    dest = dest or Path(name)
    refuse_unless_vacant(dest)
    starter = _starter(kind, asks)
    if source is None:
        return started(made(starter, name, dest))
    from scaffold.teams.upgrade import with_pack

    answers = replace(asked, defaults=asked.defaults or yes)
    return started(with_pack(partial(made, starter, name, dest), dest, source, answers))


def started(created: Created) -> Report:
    """Return the report about a new project: the warnings, then the next commands."""
    from scaffold.commands.starter import to_try

    generated, folder = created.generated, str(created.dest)
    commands = to_try(generated)
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
        folder = Path(os.path.abspath(dest)).name
        if folder[:1].isdigit():
            message = f"a server's name begins with a letter, and `{visible(folder)}` does not"
            raise click.UsageError(f"{message}: choose one with --name")
        return server_name(folder)
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
    from questionary import Choice, select

    choices = [Choice(f"{name:9}  {one.summary}", name) for name, one in known.items()]
    return known[select("Starter", choices, DEFAULT).unsafe_ask()]
