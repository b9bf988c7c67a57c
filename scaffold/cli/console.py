"""Print the reports of commands in the `--format` chosen, and set exit codes."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from scaffold.base.diagnostics import ScaffoldError
from scaffold.cli.report import Report, as_json

PATH = click.Path(path_type=Path)


def new_directory(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """Return the path of a directory to create. Raises click.UsageError for what looks like an option."""
    if path and str(path).startswith("-"):
        raise click.UsageError(f"`{path}` looks like an option: choose another directory")
    return path


def reports(command: Callable[..., Report]) -> Callable[..., None]:
    """Wrap a command to take `--format`, print the report that it returns, and exit.

    On ScaffoldError, its errors are the report, and the exit code is 2.
    """

    @click.option(
        "--format",
        "form",
        type=click.Choice(("human", "json", "github", "markdown")),
        default="human",
        metavar="FORMAT",
        help="Output format: human, json, github (annotations) or markdown (a comment).",
    )
    @functools.wraps(command)
    def reporting(form: str, **arguments: Any) -> None:
        report = guarded(lambda: command(**arguments))
        tell(report)
        sys.exit(report.code)

    return reporting


def guarded(work: Callable[[], Report | None]) -> Report:
    """Return the report of `work`, if it has one, or that of its ScaffoldError."""
    try:
        return work() or Report()
    except ScaffoldError as error:
        return Report(error.diagnostics, 2, "failed")


def tell(report: Report) -> None:
    """Print a report in the format of the running command."""
    out, err = rendered(report, chosen_format(), _colored(sys.stdout), _colored(sys.stderr))
    click.echo(out, nl=False, color=True)
    click.echo(err, err=True, nl=False, color=True)


def say(*lines: str) -> None:
    """Print lines for people to standard error, while a command runs."""
    from scaffold.cli.people import text_of

    click.echo(text_of(lines), err=True, nl=False)


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
            from scaffold.cli.pull_requests import for_comment

            return for_comment(report), ""
        case _:
            from scaffold.cli.pull_requests import for_github

            return for_github(report), ""


def chosen_format() -> str:
    """Return the `--format` of the running command."""
    form: str = click.get_current_context().params.get("form", "human")
    return form


def _colored(stream: TextIO) -> bool:
    """Return whether to use colors: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _explained(context: click.Context, _: click.Parameter, id: str | None) -> None:
    """Print the documentation of a diagnostic, and exit. Raises click.UsageError if there is none."""
    if id is None:
        return
    from scaffold.base.diagnostics.explain import sections

    text = sections().get(id)
    if text is None:
        raise unknown(f"unknown diagnostic `{id}`", id, [*sections()])
    wrapped = re.sub(r"(?<=\n\n)(?=- |```)", "\b\n", text)  # lists and code keep their lines
    width = min(shutil.get_terminal_size().columns, 100)
    click.echo(click.wrap_text(f"{id}\n\n{wrapped}", width, preserve_paragraphs=True))
    context.exit()


def _known(_: click.Context, __: click.Parameter, begin: str) -> list[str]:
    """Complete the id of a diagnostic."""
    from scaffold.base.diagnostics.explain import sections

    return [id for id in sections() if id.startswith(begin)]


EXPLAIN = click.option(
    "--explain",
    metavar="ID",
    is_eager=True,
    expose_value=False,
    callback=_explained,
    shell_complete=_known,
    help="Explain a diagnostic, such as long-name, and exit.",
)


def unknown(message: str, word: str, known: Sequence[str]) -> click.UsageError:
    """Return the error about an unknown word in an option, with the known word nearest to it."""
    from scaffold.base.diagnostics.wording import did_you_mean

    return click.UsageError(", ".join(filter(None, (message, did_you_mean(word, known)))))


def heed_signals() -> None:
    """End as Ctrl-C does when the terminal closes or the process is told to end.

    What is ignored, as `nohup` asks for, stays ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
