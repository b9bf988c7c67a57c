"""Print the results of commands in the `--format` chosen, and set exit codes."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic

PATH = click.Path(path_type=Path)
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["human", "json", "github"]),
    default="human",
    help="Output format; github writes annotations for pull requests.",
)


def exits(command: Callable[..., int]) -> Callable[..., None]:
    """Wrap a command to take `--format` as `form` and exit with the code it returns."""

    @FORMAT
    @functools.wraps(command)
    def exiting(form: str, **arguments: Any) -> None:
        sys.exit(guarded(lambda: command(form=form, **arguments), form))

    return exiting


def reports(command: Callable[..., Iterable[Diagnostic]]) -> Callable[..., None]:
    """Wrap a command to print the diagnostics it returns. On errors, print them and exit 2."""

    @exits
    @functools.wraps(command)
    def reporting(form: str, **arguments: Any) -> int:
        show(command(**arguments), form)
        return 0

    return reporting


def guarded(work: Callable[[], int], form: str) -> int:
    """Return the exit code of `work`. On ScaffoldError, print the errors and return 2."""
    from scaffold.diagnostics import ScaffoldError

    try:
        return work()
    except ScaffoldError as error:
        show(error.diagnostics, form)
        return 2


def show(diagnostics: Iterable[Diagnostic], form: str) -> None:
    """Print diagnostics: to standard error for people, to standard output for programs."""
    from scaffold.cli.report import draw

    for_people = form == "human"
    drawn = draw(tuple(diagnostics), form, for_people and coloured(sys.stderr))
    tell("" if for_people else drawn, drawn if for_people else "")


def tell(out: str, err: str) -> None:
    """Print to standard output and standard error, with no newline added."""
    click.echo(out, nl=False, color=True)
    click.echo(err, err=True, nl=False, color=True)


def coloured(stream: TextIO) -> bool:
    """Return whether to use colors: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def show_everything() -> None:
    """Escape characters that the terminal's encoding lacks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
