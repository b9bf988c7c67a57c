"""The `import` command."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from scaffold.base.files import SPEC
from scaffold.cli.console import PATH, heed_signals, reports
from scaffold.cli.projects import here, is_project
from scaffold.cli.regenerated import change_line
from scaffold.cli.report import Report, count
from scaffold.commands.importing import Imported, imported
from scaffold.schema.mismatch import KINDS
from scaffold.sources.read import read_command, read_source
from scaffold.sources.selection import Choice, TooManyError


class _AfterDashes(click.Command):
    """A command that takes what follows `--` as the command of a server."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.obj, args = tuple(args[at + 1 :]), args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["[OPTIONS]", "(SOURCE | -- COMMAND...)"]


@click.command("import", cls=_AfterDashes)
@click.argument("source", required=False)
@click.option(
    "-o", "--output", type=PATH, help="Write the spec here. Default: NAME.yaml, outside a project."
)
@click.option(
    "--include",
    metavar="PATTERN",
    multiple=True,
    help="Import only these: `get_*`, `tag:issues`, `GET /x/**`.",
)
@click.option("--exclude", metavar="PATTERN", multiple=True, help="Import all but these.")
@click.option(
    "--header",
    "headers",
    metavar="'NAME: VALUE'",
    multiple=True,
    help="Send a header to a URL; ${VARIABLE} is replaced.",
)
@click.option("--proxy", is_flag=True, help="Write handlers that pass each call on to the server.")
@click.option(
    "--env",
    metavar="NAME",
    multiple=True,
    help="With --proxy: a variable that COMMAND needs.",
)
@reports
@click.pass_obj
def import_(
    command: tuple[str, ...] | None,
    source: str | None,
    output: Path | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    headers: tuple[str, ...],
    proxy: bool,
    env: tuple[str, ...],
) -> Report:
    """Write a spec from a tool list, an API or a server.

    SOURCE is an OpenAPI document, a JSON file with a tool list, the URL of a server or a file,
    client:ID/NAME for a server in a client's configuration, python:MODULE or python:MODULE:f,g for
    functions, or python:MODULE:OBJECT for a FastMCP server. COMMAND starts a server, whose tools
    are listed but not called.
    """
    if (source is None) is (command is None):
        raise click.UsageError("give a SOURCE, or a server's command after `--`")
    if env and not (proxy and command):
        raise click.UsageError("`--env` needs `--proxy` and a command after `--`")
    if command == ():
        raise click.UsageError("give the command that starts the server after `--`")
    if output is None and is_project(project := here()):
        of_project = f"`-o {shlex.quote(str(project / SPEC))}` updates its spec"
        raise click.UsageError(f"you are in a project: give a file with `-o`; {of_project}")
    heed_signals()  # a signal must stop a started server too
    source_ = read_command(command) if command else read_source(str(source), headers)
    try:
        result = imported(source_, output, include, exclude, proxy, env)
    except TooManyError as error:
        choices = [{"group": choice.group, "name": choice.name} for choice in error.choices]
        data: dict[str, object] = {"choices": choices}
        return Report(error.diagnostics, 2, table=_table(error.choices), data=data)
    code = int(bool(result.conflicts or result.left_out))
    data = {"spec": str(result.path), "notes": [*result.source.notes]}
    return Report(result.left_out, code, below=_summary(result), data=data)


def _table(choices: Sequence[Choice]) -> list[tuple[str, str, str]]:
    """Return a row for each group of choices: its pattern, its size and its first members."""
    groups: dict[str, list[str]] = {}
    for choice in choices:
        groups.setdefault(choice.group, []).append(choice.name)
    rows = [
        (group, str(len(names)), ", ".join([*names[:3], *(["…"] if names[3:] else [])]))
        for group, names in groups.items()
    ]
    return [("GROUP", "OPERATIONS", "SUCH AS"), *rows]


def _summary(result: Imported) -> list[str]:
    listed = result.source.listed
    counts = (count(len(listed[key]), noun) for key, noun in KINDS.items() if listed.get(key))
    typed = shlex.quote(str(result.path))
    verdict = "without the invalid parts" if result.left_out else "verified against the source"
    lines = [f"{result.path}: {', '.join(counts)}, {verdict}"]
    lines += [f"note: {note}" for note in result.source.notes]
    lines += [f"  {change_line(change)}" for change in result.changes or ()]
    if result.warnings:
        warnings = count(len(result.warnings), "warning")
        lines.append(f"{warnings}: run `mcp-scaffold validate {typed}`")
    if result.conflicts:
        lines.append(f"conflicts: {len(result.conflicts)}; resolve the `<<<<<<<` in {result.path}")
    elif result.changes is None:
        lines.append(f"next: mcp-scaffold new {typed}")
        lines += [f"      {result.source.next}"] if result.source.next else []
    return lines
