"""The command line: parse arguments, do the work and report.

Exit codes: 0 success; 1 the project does not match its spec; 2 invalid input. Data goes to
standard output, everything else to standard error. Commands import their dependencies when they
run, to keep `--help` fast.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from scaffold import __version__
from scaffold.cli.console import PATH, reports, show_everything
from scaffold.cli.pack import answering, pack
from scaffold.cli.regenerate import regenerate

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic
    from scaffold.teams.asked import Asked


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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    """Generate an MCP server project from a YAML spec and keep it in sync."""
    show_everything()
    gc.set_threshold(100_000)  # with Python's default, collection takes a third of a short run
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # plugins would see every spec


@main.command()
@click.argument("spec", type=PATH)
@click.argument("dest", type=PATH, required=False)
@click.option(
    "--pack", "source", metavar="PACK", help="Use this pack: a name, directory or git URL[@tag]."
)
@answering
@reports
def new(spec: Path, dest: Path | None, source: str | None, asked: Asked) -> Iterable[Diagnostic]:
    """Create a project from SPEC in DEST. The default is a directory named after the server."""
    from scaffold import new as creating
    from scaffold.cli import report

    if source is None and asked.given:
        raise click.UsageError("--data needs --pack: it answers the questions of a pack")
    if source is None:
        created = creating.new(spec, dest)
    else:
        from scaffold.teams.new import new_from_pack

        created = new_from_pack(spec, dest, source, asked)
    click.echo(report.created(created), err=True)
    return created.warnings


main.add_command(regenerate)
main.add_command(pack)


@main.command()
@click.argument("specs", metavar="SPEC...", type=PATH, nargs=-1)
@click.option("--explain", metavar="ID", help="Explain a diagnostic, such as long-name.")
@reports
def validate(specs: tuple[Path, ...], explain: str | None) -> Iterable[Diagnostic]:
    """Check specs for errors and problems. Warnings are about real clients and models."""
    if explain is not None:
        from scaffold.diagnostics.explain import explain as explained
        from scaffold.diagnostics.explain import sections
        from scaffold.diagnostics.wording import nearest, quote

        if (text := explained(explain)) is None:
            near = nearest(explain, sections())
            meant = f", did you mean {quote(near)}?" if near else ""
            raise click.UsageError(f"there is no diagnostic {quote(explain)}{meant}")
        click.echo(text)
    elif not specs:
        raise click.UsageError("name a SPEC, or use --explain ID")
    from scaffold.validate import validate as validated

    return validated(specs)


@main.command()
def schema() -> None:
    """Print the JSON Schema of the spec format, for editors."""
    from scaffold.spec.schema import schema_text

    click.echo(schema_text(), nl=False)
