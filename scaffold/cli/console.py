"""What a command found, shown as `--format` says, and the exit code that tells how it ended."""

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
    help="For people, for programs, or as annotations of a pull request.",
)


def reports(command: Callable[..., Iterable[Diagnostic]]) -> Callable[..., None]:
    """Show, as `--format` says, what a command returns, or what stops it, which exits with 2."""

    @FORMAT
    @functools.wraps(command)
    def reporting(form: str, **arguments: Any) -> None:
        def work() -> int:
            show(command(**arguments), form)
            return 0

        if code := guarded(work, form):
            sys.exit(code)

    return reporting


def exits(command: Callable[..., int]) -> Callable[..., None]:
    """Give a command `--format` as `form`, and exit with the code that it returns."""

    @FORMAT
    @functools.wraps(command)
    def exiting(form: str, **arguments: Any) -> None:
        sys.exit(guarded(lambda: command(form=form, **arguments), form))

    return exiting


def guarded(work: Callable[[], int], form: str) -> int:
    """The exit code of the work; 2, and why, where it is stopped."""
    from scaffold.diagnostics import ScaffoldError

    try:
        return work()
    except ScaffoldError as error:
        show(error.diagnostics, form)
        return 2


def show(diagnostics: Iterable[Diagnostic], form: str) -> None:
    """Print findings: for people on standard error, for programs on standard output."""
    from scaffold.cli.report import draw

    for_people = form == "human"
    drawn = draw(tuple(diagnostics), form, for_people and coloured(sys.stderr))
    tell("" if for_people else drawn, drawn if for_people else "")


def tell(out: str, err: str) -> None:
    """Print to standard output, and to standard error, just these texts."""
    click.echo(out, nl=False, color=True)
    click.echo(err, err=True, nl=False, color=True)


def coloured(stream: TextIO) -> bool:
    """Whether there is a terminal that shows colours, and its user wants them (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def show_everything() -> None:
    """Let no character stop a command that a terminal's encoding lacks: it is shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
