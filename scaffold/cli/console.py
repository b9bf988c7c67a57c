"""Print the reports of commands in the `--format` chosen, and set exit codes."""

from __future__ import annotations

import functools
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from scaffold.base.diagnostics import ScaffoldError
from scaffold.cli.report import Report, as_json

PATH = click.Path(path_type=Path)

_FORMATS = ("human", "json", "github", "gitlab", "markdown")

_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="human",
    metavar="FORMAT",
    help="Output format: human, json, github (annotations), gitlab (code quality report) or "
    "markdown (a comment).",
)


def reports(command: Callable[..., Report]) -> Callable[..., None]:
    """Wrap a command to take `--format`, print the report that it returns, and exit.

    On ScaffoldError, its errors are the report, and the exit code is 2.
    """

    @_FORMAT
    @functools.wraps(command)
    def reporting(form: str, **arguments: Any) -> None:
        report = guarded(lambda: command(**arguments))
        tell(report)
        sys.exit(report.code)

    return reporting


def guarded(work: Callable[[], Report]) -> Report:
    """Return what `work` returns, or the report of its ScaffoldError."""
    try:
        return work()
    except ScaffoldError as error:
        return Report(error.diagnostics, 2, "failed")


def tell(report: Report) -> None:
    """Print a report in the format of the running command."""
    out, err = rendered(report, chosen_format(), _colored(sys.stdout), _colored(sys.stderr))
    click.echo(out, nl=False, color=True)
    click.echo(err, err=True, nl=False, color=True)


def rendered(
    report: Report, form: str, colored_out: bool = False, colored_err: bool = False
) -> tuple[str, str]:
    """Return a report in a format, as text for standard output and for standard error."""
    match form:
        case "human":
            from scaffold.cli.people import for_people

            return for_people(report, colored_out, colored_err)
        case "json":
            import json

            return json.dumps(as_json(report), indent=2) + "\n", ""
        case "markdown":
            from scaffold.cli.markdown import for_comment

            return for_comment(report), ""
        case _:
            from scaffold.cli.annotations import for_github, for_gitlab

            return (for_github if form == "github" else for_gitlab)(report), ""


def chosen_format() -> str:
    """Return the `--format` of the running command."""
    form: str = click.get_current_context().params.get("form", "human")
    return form


def _explained(context: click.Context, _: click.Parameter, id: str | None) -> None:
    """Print the documentation of a diagnostic, and exit. Raises click.UsageError if there is none."""
    if id is None:
        return
    from scaffold.base.diagnostics.explain import explain, sections
    from scaffold.base.diagnostics.wording import did_you_mean, quote

    text = explain(id)
    if text is None:
        message, near = f"unknown diagnostic {quote(id)}", did_you_mean(id, sections())
        raise click.UsageError(f"{message}, {near}" if near else message)
    from scaffold.cli.people import explained

    told = explained(id, text, shutil.get_terminal_size().columns)
    click.echo(told if _colored(sys.stdout) else click.unstyle(told), nl=False, color=True)
    context.exit()


EXPLAIN = click.option(
    "--explain",
    metavar="ID",
    is_eager=True,
    expose_value=False,
    callback=_explained,
    help="Explain a diagnostic, such as long-name, and exit.",
)


def new_folder(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    """Return the directory to create. Raises click.UsageError if commands take it for an option."""
    if value is not None and str(value).startswith("-"):
        message = f"the directory `{value}` begins with a dash, as options do; choose another name"
        raise click.UsageError(message)
    return value


def _colored(stream: TextIO) -> bool:
    """Return whether to use colors: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def show_everything() -> None:
    """Escape characters that the terminal's encoding lacks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


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
