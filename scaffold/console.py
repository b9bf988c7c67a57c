"""What a command found, shown as `--format` says, and the exit code that tells how it ended."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic

PATH = click.Path(path_type=Path)


def reports(command: Callable[..., Iterable[Diagnostic]]) -> Callable[..., None]:
    """Show, as `--format` says, what a command returns, or what stops it, which exits with 2."""

    @click.option("--format", "form", type=click.Choice(["human", "json", "github"]))
    @functools.wraps(command)
    def reporting(form: str | None, **arguments: Any) -> None:
        from scaffold.diagnostics import ScaffoldError

        try:
            found = command(**arguments)
        except ScaffoldError as error:
            show(error.diagnostics, form or "human")
            sys.exit(2)
        show(found, form or "human")

    return reporting


def show(diagnostics: Iterable[Diagnostic], form: str) -> None:
    """Print findings: for people on standard error, for programs on standard output."""
    from scaffold.report import draw

    for_people = form == "human"
    colour = for_people and sys.stderr.isatty()
    click.echo(draw(tuple(diagnostics), form, colour), err=for_people, nl=False)
