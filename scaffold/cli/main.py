"""The command line: parse arguments, do the work and report.

Exit codes: 0 success; 1 the project does not match its spec; 2 invalid input. Data goes to
standard output, everything else to standard error. Commands import their dependencies when they
run, to keep `--help` fast.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from scaffold import __version__
from scaffold.cli.add import add
from scaffold.cli.answers import PACK, answering, refuse_lone_answers
from scaffold.cli.breaking import breaking
from scaffold.cli.check import check
from scaffold.cli.clients import clients
from scaffold.cli.console import (
    PATH,
    new_folder,
    reports,
    show_everything,
)
from scaffold.cli.dev import dev
from scaffold.cli.importing import import_
from scaffold.cli.init import init, started
from scaffold.cli.pack import pack
from scaffold.cli.publish import publish
from scaffold.cli.regenerate import regenerate
from scaffold.cli.report import Report
from scaffold.cli.status import status
from scaffold.cli.validate import validate

if TYPE_CHECKING:
    from scaffold.teams.copying import Asked


_EMPTY = re.compile(r"--[\w-]+=")
"""An option with an empty value."""


def run() -> NoReturn:
    """Run the command line, and end the process without tearing the interpreter down.

    Freeing every object takes a fifth of a short run.
    """
    try:
        try:
            main()
        except SystemExit as done:
            code = int(done.code or 0)
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except BrokenPipeError:  # the reader has seen enough
        code = 1
    except OSError as error:  # such as a full disk below standard output
        os.write(2, f"error: {error.strerror}\n".encode())
        code = 2
    os._exit(code)


class Commands(click.Group):
    """The commands, none of which takes an empty argument: most often, a variable is not set."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises click.UsageError for an empty one, or an empty value."""
        ours = args[: args.index("--")] if "--" in args else args
        for before, word in zip([ctx.info_name, *ours], ours, strict=False):
            if not word:
                raise click.UsageError(f"the argument after `{before}` is empty", ctx)
            if _EMPTY.fullmatch(word):
                raise click.UsageError(f"the value of `{word[:-1]}` is empty", ctx)
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    """Generate an MCP server project from a YAML spec and keep it in sync."""
    show_everything()
    gc.set_threshold(500_000)  # few cycles are made, and looking for them takes a third of a run
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # plugins would see every spec


@main.command()
@click.argument("spec", type=PATH)
@click.argument("dest", type=PATH, required=False, callback=new_folder)
@PACK
@reports
@answering
def new(spec: Path, dest: Path | None, source: str | None, asked: Asked) -> Report:
    """Create a project from SPEC in DEST. The default is a directory named after the server.

    From then on, the spec is DEST/mcp.yaml.
    """
    from scaffold.commands import new as creating

    refuse_lone_answers(source, asked)
    if source is None:
        created = creating.new(spec, dest)
    else:
        from scaffold.teams.upgrade import new_from_pack

        created = new_from_pack(spec, dest, source, asked)
    return started(created)


for command in (
    add,
    breaking,
    check,
    clients,
    dev,
    import_,
    init,
    pack,
    publish,
    regenerate,
    status,
    validate,
):
    main.add_command(command)


@main.command()
def schema() -> None:
    """Print the JSON Schema of the spec format, for editors."""
    from scaffold.spec.schema import schema_text

    click.echo(schema_text(), nl=False)
