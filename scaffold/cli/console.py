"""Print the results of commands in the `--format` chosen, and set exit codes."""

from __future__ import annotations

import functools
import io
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click
from msgspec import Struct

if TYPE_CHECKING:
    from scaffold.base.diagnostics import Diagnostic
    from scaffold.commands.new import Created

PATH = click.Path(path_type=Path)

_FORMATS = ("human", "json", "github", "gitlab")


def _format(*others: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option `--format`; `others` are formats that only this command has."""
    words = ["human", "json", "github (annotations)", "gitlab (code quality report)", *others]
    return click.option(
        "--format",
        "form",
        type=click.Choice([*_FORMATS, *others]),
        default="human",
        metavar="FORMAT",
        help=f"Output format: {', '.join(words[:-1])} or {words[-1]}.",
    )


def new_folder(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    """Return the directory to create. Raises click.UsageError if commands take it for an option."""
    if value is not None and str(value).startswith("-"):
        message = f"the directory `{value}` begins with a dash, as options do; choose another name"
        raise click.UsageError(message)
    return value


class Ended(Struct, frozen=True):
    """How a command ended: its exit code, and the texts for standard output and standard error.

    `verdict` says in a word or two what became of a project, where a command is about one.
    """

    code: int = 0
    out: str = ""
    err: str = ""
    verdict: str = ""


def exits(command: Callable[..., Ended], others: tuple[str, ...] = ()) -> Callable[..., None]:
    """Wrap a command to take `--format` as `form`, print what it returns, and exit.

    `others` are formats that only this command has.
    """

    @_format(*others)
    @functools.wraps(command)
    def exiting(form: str, **arguments: Any) -> None:
        ended = guarded(lambda: command(form=form, **arguments), form)
        tell(ended.out, ended.err)
        sys.exit(ended.code)

    return exiting


def reports(command: Callable[..., Iterable[Diagnostic]]) -> Callable[..., None]:
    """Wrap a command to print the diagnostics it returns. On errors, print them and exit 2."""

    @exits
    @functools.wraps(command)
    def reporting(form: str, **arguments: Any) -> Ended:
        return Ended(0, *drawn(command(**arguments), form))

    return reporting


def guarded(work: Callable[[], Ended], form: str) -> Ended:
    """Return what `work` returns. On ScaffoldError, return its errors with exit code 2."""
    from scaffold.base.diagnostics import ScaffoldError

    try:
        return work()
    except ScaffoldError as error:
        return Ended(2, *drawn(error.diagnostics, form), "failed")


def drawn(diagnostics: Iterable[Diagnostic], form: str, every: bool = False) -> tuple[str, str]:
    """Return diagnostics as text: for programs on standard output, for people on the other.

    People see warnings that are alike as one, unless `every` is true.
    """
    if form == "markdown":
        from scaffold.cli.markdown import unreadable

        return unreadable(diagnostics), ""
    from scaffold.cli.report import draw

    for_people = form == "human"
    text = draw(tuple(diagnostics), form, for_people and colored(sys.stderr), every)
    return ("", text) if for_people else (text, "")


def started(created: Created, form: str) -> Ended:
    """Return the report about a new project: the warnings, then the next commands."""
    from scaffold.cli import report

    out, err = drawn(created.warnings, form)
    return Ended(0, out, "\n".join(filter(None, (err, report.created(created)))))


def tell(out: str, err: str) -> None:
    """Print to standard output and standard error, with no newline added."""
    click.echo(out, nl=False, color=True)
    click.echo(err, err=True, nl=False, color=True)


def colored(stream: TextIO) -> bool:
    """Return whether to use colors: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def show_everything() -> None:
    """Escape characters that the terminal's encoding lacks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def hide_lost_interrupts() -> None:
    """Print nothing about a Ctrl-C that came while an object was freed.

    Python cannot raise it there: the run goes on to its end, and its report is true.
    """

    def report(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(lost)

    sys.unraisablehook = report


@contextmanager
def interrupted_by_signals() -> Generator[None]:
    """End as Ctrl-C does when the terminal closes or the process is told to end.

    What is ignored, as `nohup` asks for, stays ignored.
    """

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
