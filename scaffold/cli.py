"""The command line: arguments → pipeline → report → exit code.

Exit codes: 0 done; 1 the project is not what the spec asks; 2 the input is wrong. Data goes to
standard output, everything else to standard error.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["human", "json", "github"]),
    default="human",
    help="How findings are shown.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mcp-scaffold", message="%(version)s")
def cli() -> None:
    """One YAML spec into a complete MCP server project, and the project kept in step with it."""


@cli.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("dest", type=click.Path(path_type=Path), required=False)
@FORMAT
def new(spec: Path, dest: Path | None, form: str) -> None:
    """Make the project of SPEC in DEST, by default a folder of the server's name."""
    from scaffold import pipeline, report

    created = pipeline.new(spec, dest)
    report.show(created.warnings, form)
    report.show_created(created)


@cli.command()
@click.argument("specs", type=click.Path(path_type=Path), nargs=-1, required=True)
@FORMAT
def validate(specs: tuple[Path, ...], form: str) -> None:
    """Check each of SPECS and say what could be better."""


@cli.command()
def schema() -> None:
    """Print the JSON Schema of the spec's format, for editors."""


def main() -> None:
    """The console script: runs the command and turns what stops it into an exit code."""
    from scaffold.diagnostics import ScaffoldError

    try:
        cli()
    except ScaffoldError:
        sys.exit(2)
