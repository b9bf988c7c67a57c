"""The `clients` commands: their arguments and options, and the result of `clients test`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.cli.console import Ended, guarded, tell
from scaffold.cli.projects import PROJECT

if TYPE_CHECKING:
    from scaffold.clients.trial.findings import Trial

FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["human", "json"]),
    default="human",
    metavar="FORMAT",
    help="Output format: human or json.",
)
CLIENT = click.option(
    "--client", "ids", metavar="ID", multiple=True, help="This client; can be repeated."
)
DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Don't write anything; show what would change."
)


@click.group()
def clients() -> None:
    """Install a server into MCP clients, and remove it again."""


@clients.command("list")
@PROJECT
@FORMAT
@click.pass_context
def list_(context: click.Context, project: Path, form: str) -> None:
    """Show which clients have the server of PROJECT.

    These are the clients on this machine. The default is the project that contains the current
    directory.
    """
    from scaffold.cli.installations import list_clients

    _end(context, lambda: list_clients(project, form))


@clients.command()
@PROJECT
@CLIENT
@click.option("--transport", metavar="NAME", help="The transport (default: the server's first).")
@FORMAT
@click.pass_context
def show(
    context: click.Context, project: Path, ids: tuple[str, ...], transport: str | None, form: str
) -> None:
    """Show what each client would get, with the paths of this machine."""
    from scaffold.cli.installations import show_clients

    _end(context, lambda: show_clients(project, ids, transport, form))


@clients.command()
@PROJECT
@CLIENT
@click.option(
    "--scope", type=click.Choice(["user", "project"]), help="For the user, or in the project only."
)
@click.option(
    "--via",
    type=click.Choice(["command", "project", "file", "bundle", "link"]),
    metavar="MEANS",
    help="How: command (the client's own), project, file, bundle or link (default: the best).",
)
@click.option("--transport", metavar="NAME", help="The transport (default: the server's first).")
@DRY_RUN
@FORMAT
@click.pass_context
def install(
    context: click.Context,
    project: Path,
    ids: tuple[str, ...],
    scope: str | None,
    via: str | None,
    transport: str | None,
    dry_run: bool,
    form: str,
) -> None:
    """Install the server of PROJECT into clients.

    Everything else in their files is kept to the byte, and the old file is kept beside. Values of
    variables that a client cannot look up are taken from the environment of this command.
    """
    if not ids:
        from scaffold.clients.client import client_ids

        raise click.UsageError(f"name a client with --client: {', '.join(client_ids())}")
    from scaffold.cli.installations import install_clients

    _end(context, lambda: install_clients(project, ids, (scope, via, transport), dry_run, form))


@clients.command()
@PROJECT
@CLIENT
@click.option("--all", "every", is_flag=True, help="All clients that have it.")
@DRY_RUN
@FORMAT
@click.pass_context
def remove(
    context: click.Context,
    project: Path,
    ids: tuple[str, ...],
    every: bool,
    dry_run: bool,
    form: str,
) -> None:
    """Remove the server of PROJECT from clients.

    A file that nobody else has changed is then as it was, to the byte.
    """
    if bool(ids) == every:
        raise click.UsageError("name clients with --client, or all with --all")
    from scaffold.cli.installations import remove_clients

    _end(context, lambda: remove_clients(project, ids, dry_run, form))


@clients.command()
@PROJECT
@CLIENT
@FORMAT
@click.pass_context
def test(context: click.Context, project: Path, ids: tuple[str, ...], form: str) -> None:
    """Start the server of PROJECT as clients do.

    The entries are read from the clients' own files. The exit code is 1 if a client cannot use it.
    Without --client, all clients with an entry are tried.
    """
    _end(context, lambda: _tried(project, ids, form))


def _tried(project: Path, ids: Sequence[str], form: str) -> Ended:
    from scaffold.cli.console import drawn
    from scaffold.cli.installations import chosen_clients, printed, printed_json
    from scaffold.cli.report import as_json
    from scaffold.clients.installing.subject import subject
    from scaffold.clients.places import this_machine
    from scaffold.clients.trial.project import trials

    server = subject(project)
    found = [*trials(server, chosen_clients(ids), this_machine(), wanted=bool(ids))]
    code = 0 if found and all(trial.works for trial in found) else 1
    if form == "json":
        rows = [
            {
                "client": one.client.id,
                "works": one.works,
                "path": str(one.file) if one.file else None,
                "transport": one.transport or None,
                "protocol": one.version or None,
                "tools": one.tools,
                "seconds": None if one.seconds is None else round(one.seconds, 3),
                "limit": one.limit,
                **as_json(one.findings),
            }
            for one in found
        ]
        return Ended(code, printed_json({"server": server.server.name, "clients": rows}))
    if not found:
        said = f"no client has an entry for `{server.server.name}`"
        said += "; `clients install --client ID` writes one\n"
        return Ended(code, "", said)
    problems = [finding for one in found for finding in one.findings]
    return Ended(code, printed(map(_outcome, found)), drawn(problems, "human", every=True)[1])


def _outcome(trial: Trial) -> str:
    name, limit = trial.client.name, trial.limit
    where = f" ({trial.file})" if trial.file else ""
    if not trial.works:
        return f"{name}: does not work{where}"
    tools = f"{trial.tools} tool{'' if trial.tools == 1 else 's'}"
    first = f"first answer after {trial.seconds or 0:.1f} s"
    waits = f", it waits {limit:g} s" if limit and trial.transport == "stdio" else ""
    return f"{name}: works over {trial.transport}, {tools}, {first}{waits}{where}"


def _end(context: click.Context, work: Callable[[], Ended]) -> None:
    """Print what the work returns, and exit with its code."""
    ended = guarded(work, "human")
    tell(ended.out, ended.err)
    context.exit(ended.code)
