"""The `breaking` command: what an edit of a spec breaks for callers."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.cli.console import PATH, Ended, colored, exits
from scaffold.cli.explained import explained
from scaffold.cli.projects import here

if TYPE_CHECKING:
    from scaffold.breaking.judging import Judged

_FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
"""The levels that make the command fail, by the value of `--fail-on`."""


@click.command()
@click.argument("spec", type=PATH, required=False)
@click.option(
    "--against",
    metavar="BASELINE",
    help="Compare with this: git:REV, a spec, a JSON file with a tool list, or a project.",
)
@click.option(
    "--fail-on",
    "failing",
    type=click.Choice([*_FAILING]),
    default="error",
    metavar="LEVEL",
    help="Exit with 1 from this level on: error, warning or never.",
)
@click.option("--allow-new", is_flag=True, help="Pass if git:REV exists and has no such spec.")
@click.option("--explain", metavar="ID", help="Explain a finding, such as argument-required.")
@partial(exits, others=("markdown",))
def breaking(
    spec: Path | None,
    against: str | None,
    failing: str,
    allow_new: bool,
    explain: str | None,
    form: str,
) -> Ended:
    """Find changes of SPEC that break callers.

    SPEC can be a project. The default is the project that contains the current directory. A
    baseline `git:main` is the same file on the branch `main`.
    """
    if explain is not None:
        click.echo(explained(explain))
        if spec is None and against is None:
            return Ended()
    if against is None:
        raise click.UsageError("give a baseline: `--against git:main`, a file or a project")
    from datetime import date

    from scaffold.breaking.judging import judge
    from scaffold.cli.findings import drawn
    from scaffold.files import SPEC

    path = here() if spec is None else spec
    if spec is None and not (path / SPEC).is_file():
        raise click.UsageError("give a SPEC, or run this in a project")
    file = path / SPEC if path.is_dir() else path
    judged = judge(file, against, date.today(), allow_new)
    return Ended(_code(judged, failing), drawn(judged, form, colored(sys.stdout)))


def _code(judged: Judged, failing: str) -> int:
    return int(any(one.change.level in _FAILING[failing] for one in judged.open))
