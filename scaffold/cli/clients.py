"""The `clients` commands: their arguments and options."""

from __future__ import annotations

from pathlib import Path

import click

from scaffold.cli.console import reports
from scaffold.cli.projects import PROJECT
from scaffold.cli.report import Report

CLIENT = click.option(
    "--client", "ids", metavar="ID", multiple=True, help="This client; can be repeated."
)
TRANSPORT = click.option(
    "--transport", metavar="NAME", help="The transport (default: the server's first)."
)
DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Don't write anything; show what would change."
)


@click.group()
def clients() -> None:
    """Install a server into MCP clients, and remove it again."""


@clients.command("list")
@PROJECT
@reports
def list_(project: Path) -> Report:
    """Show which clients have the server of PROJECT.

    These are the clients on this machine. The default is the project that contains the current
    directory.
    """
    from scaffold.cli.installations import list_clients

    return list_clients(project)


@clients.command()
@PROJECT
@CLIENT
@TRANSPORT
@reports
def show(project: Path, ids: tuple[str, ...], transport: str | None) -> Report:
    """Show what each client would get, with the paths of this machine."""
    from scaffold.cli.installations import show_clients

    return show_clients(project, ids, transport)


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
@TRANSPORT
@DRY_RUN
@reports
def install(
    project: Path,
    ids: tuple[str, ...],
    scope: str | None,
    via: str | None,
    transport: str | None,
    dry_run: bool,
) -> Report:
    """Install the server of PROJECT into clients.

    Everything else in their files is kept to the byte, and the old file is kept beside. Values of
    variables that a client cannot look up are taken from the environment of this command.
    """
    from scaffold.cli.installations import install_clients
    from scaffold.clients.client import client_ids
    from scaffold.clients.installing.choose import Asked

    if not ids:
        raise click.UsageError(f"name a client with --client: {', '.join(client_ids())}")
    return install_clients(project, ids, Asked(scope, via, transport), dry_run)


@clients.command()
@PROJECT
@CLIENT
@click.option("--all", "every", is_flag=True, help="All clients that have it.")
@DRY_RUN
@reports
def remove(project: Path, ids: tuple[str, ...], every: bool, dry_run: bool) -> Report:
    """Remove the server of PROJECT from clients.

    A file that nobody else has changed is then as it was, to the byte.
    """
    if bool(ids) == every:
        raise click.UsageError("name clients with --client, or all with --all")
    from scaffold.cli.installations import remove_clients

    return remove_clients(project, ids, dry_run)


@clients.command()
@PROJECT
@CLIENT
@reports
def test(project: Path, ids: tuple[str, ...]) -> Report:
    """Start the server of PROJECT as clients do.

    The entries are read from the clients' own files. The exit code is 1 if a client cannot use it.
    Without --client, all clients with an entry are tried.
    """
    from scaffold.cli.installations import try_clients

    return try_clients(project, ids)
