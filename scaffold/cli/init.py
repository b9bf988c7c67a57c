"""The commands that create a project: `init` from a starter, `new` from a spec."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from scaffold.base.origin import requirement
from scaffold.cli.answers import PACK, answering, refuse_lone_answers
from scaffold.cli.console import PATH, new_directory, reports
from scaffold.cli.projects import entering
from scaffold.cli.report import Report
from scaffold.commands import new as creating
from scaffold.commands.starter import NAMES, Starter, starters, to_try
from scaffold.commands.starter import init as started
from scaffold.disk.create import refuse_unless_vacant
from scaffold.project.attachments import PAGE
from scaffold.sources.source import server_name
from scaffold.teams.copying import Asked

_FIRST = ("skills/SKILL.md.j2", PAGE)
"""The templates of files that a spec refers to; they are written only if the files do not exist."""


@click.command()
@click.argument("spec", type=PATH)
@click.argument("dest", type=PATH, required=False, callback=new_directory)
@PACK
@reports
@answering
def new(spec: Path, dest: Path | None, source: str | None, asked: Asked) -> Report:
    """Create a project from SPEC in DEST. The default is a directory named after the server.

    From then on, the spec is DEST/mcp.yaml.
    """
    refuse_lone_answers(source, asked)
    if source is None:
        return _created(creating.new(spec, dest, generator=requirement()))
    from scaffold.teams.upgrade import new_from_pack  # slow to import

    return _created(new_from_pack(spec, dest, source, asked, requirement()))


def _list(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the starters and what each shows, and exit."""
    if is_wanted and not context.resilient_parsing:
        for starter in starters():
            click.echo(_line(starter))
        context.exit()


@click.command()
@click.argument("dest", metavar="[DIR]", type=PATH, required=False, callback=new_directory)
@click.option(
    "--starter",
    "kind",
    type=click.Choice(NAMES),
    metavar="STARTER",
    help="Start from this starter (default: minimal).",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the starters.",
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
    refuse_lone_answers(source, asked)
    asks = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    name = _name(name, dest, asks)
    dest = dest or Path(name)
    refuse_unless_vacant(dest)
    kind = kind or (_asked_starter() if asks else NAMES[0])
    starter = next(option for option in starters() if option.name == kind)
    create = partial(started, starter, name, dest, generator=requirement())
    if source is None:
        return _created(create())
    from scaffold.teams.upgrade import with_pack  # slow to import

    answers = replace(asked, defaults=asked.defaults or yes)
    return _created(with_pack(create, dest, source, answers))


def _created(created: creating.Created) -> Report:
    """Return the report about a new project: the warnings, then the next commands."""
    generated, folder = created.generated, str(created.dest)
    commands = to_try(generated)
    enter = entering(created.dest)
    lines = [f"{generated.project.name}: created in {folder}"]
    first = [path for path, file in generated.everything.items() if file.template in _FIRST]
    lines += [f"written for you to edit: {', '.join(first)}"] if first else []
    lines += ["next:", *(f"  {line}" for line in (*enter, *(commands or ["see README.md"])))]
    data = {"project": folder, "name": generated.project.name, "next": [*enter, *commands]}
    return Report(created.warnings, below=lines, data=data)


def _name(requested: str | None, dest: Path | None, asks: bool) -> str:
    """Return the name of the server: given, or that of the directory, or asked for."""
    if requested is not None:
        return _checked(requested)
    if dest is not None:
        folder = Path(os.path.abspath(dest)).name
        if folder[:1].isdigit():
            message = f"a server's name begins with a letter, and `{folder}` does not"
            raise click.UsageError(f"{message}: choose one with --name")
        return server_name(folder)
    if not asks:
        return "my-server"
    name: str = click.prompt("Name of the server", "my-server", value_proc=_checked, err=True)
    return name


def _checked(name: str) -> str:
    """Return a name that a spec allows. Raises click.UsageError for any other."""
    if server_name(name) != name:
        hint = f"did you mean `{server_name(name)}`?"
        allowed = "lowercase letters, digits and single dashes"
        raise click.UsageError(f"invalid server name `{name}`: use {allowed}; {hint}")
    return name


def _asked_starter() -> str:
    from questionary import Choice, select  # slow to import

    choices = [Choice(_line(starter), starter.name) for starter in starters()]
    name: str = select("Starter", choices, NAMES[0]).unsafe_ask()
    return name


def _line(starter: Starter) -> str:
    return f"{starter.name:9}  {starter.summary}"
