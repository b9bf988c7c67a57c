"""The `clients` commands: their arguments and options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from scaffold.cli.console import Ended, guarded, tell
from scaffold.cli.projects import PROJECT

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
@click.option("--all", "every", is_flag=True, help="All clients that it was installed into.")
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

    It goes the way it came. A file that nobody else has changed is then as it was, to the byte.
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
    from scaffold.cli.installations import tried

    _end(context, lambda: tried(project, ids, form))


def _end(context: click.Context, work: Callable[[], Ended]) -> None:
    """Print what the work returns, and exit with its code."""
    ended = guarded(work, "human")
    tell(ended.out, ended.err)
    context.exit(ended.code)
