"""The `clients` commands: list, show, install, remove and test."""

from __future__ import annotations

import shlex
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.cli import installations
from scaffold.cli.console import reports
from scaffold.cli.projects import PROJECT
from scaffold.cli.report import Report
from scaffold.clients.client import Client, client_ids, read_client
from scaffold.clients.entry import document
from scaffold.clients.places import is_here, places, this_machine
from scaffold.editing.formats import written
from scaffold.install import install as installing
from scaffold.install import remove as removing
from scaffold.install.choose import Asked, entry_for, transport_for
from scaffold.install.listing import listed
from scaffold.install.subject import Subject, subject

_CLIENT = click.option(
    "--client", "ids", metavar="ID", multiple=True, help="This client; can be repeated."
)
_TRANSPORT = click.option(
    "--transport", metavar="NAME", help="The transport (default: the server's first)."
)
_DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Don't write anything; show what would change."
)


def _chosen(ids: Sequence[str]) -> tuple[Client, ...]:
    """Return the clients with these ids, or all. Raises ScaffoldError for unknown ids."""
    known = client_ids()
    for id in ids:
        if id not in known:
            hint = did_you_mean(id, known, f"the clients are {join(known, 'and')}")
            raise ScaffoldError.of("unknown-client", f"unknown client `{id}`", id, hint)
    return tuple(map(read_client, dict.fromkeys(ids) if ids else known))


@dataclass
class _Results:
    """The results for clients: a row of data for each, lines for people, and problems."""

    rows: list[dict[str, object]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    @contextmanager
    def collecting(self, **row: object) -> Generator[None]:
        """Collect the errors of one client, and mark its row as failed, without stopping the others."""
        try:
            yield
        except ScaffoldError as error:
            self.problems += error.diagnostics
            self.rows += [{**row, "result": "failed"}] if row else []

    def report(self, server: Subject, code: int | None = None) -> Report:
        """Return the report; by default, the exit code is 2 if there are problems."""
        if code is None:
            code = 2 if self.problems else 0
        data = {"server": server.server.name, "clients": self.rows}
        return Report(self.problems, code, out=self.lines, data=data)


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
    server, machine = subject(project), this_machine()
    results, table = _Results(), [("CLIENT", "HERE", f"`{server.server.name}`")]
    for client in _chosen(()):
        here, held = is_here(client, machine), [*listed(server, client, machine)]
        entries = [*map(installations.entry_row, held)]
        row = {"client": client.id, "name": client.name, "here": here, "entries": entries}
        results.rows.append(row)
        results.problems += [entry.problem for entry in held if entry.problem]
        if here or held:
            states = [f"{installations.STATES[entry.state]} ({entry.path})" for entry in held]
            first, *rest = states or ["-"]
            table.append((client.id, "yes" if here else "no", first))
            table += [("", "", state) for state in rest]
    if table[1:]:
        return replace(results.report(server, 0), table=table)
    results.lines += ["none of the known clients is on this machine"]
    results.lines += ["`mcp-scaffold clients show` prints what each would get"]
    return results.report(server, 0)


@clients.command()
@PROJECT
@_CLIENT
@_TRANSPORT
@reports
def show(project: Path, ids: tuple[str, ...], transport: str | None) -> Report:
    """Show what each client would get, with the paths of this machine."""
    server, machine = subject(project), this_machine()
    unset = {name: value for name, value in machine.environ.items() if name not in server.names}
    bare = replace(machine, environ=unset)
    results = _Results()
    for client in _chosen(ids):
        with results.collecting():
            way = transport_for(server, client, transport)
            entry = entry_for(server, client, way, "user", bare)
            configuration = document(client, server.server.name, entry)
            files = places(client, str(server.project), machine)
            results.rows.append(
                {
                    "client": client.id,
                    "transport": way,
                    "means": list(client.means),
                    "files": [{"scope": scope, "path": path} for scope, path in files],
                    "configuration": configuration,
                }
            )
            results.lines.append(f"{client.name} ({client.id}), {way}")
            results.lines += [f"  {scope}: {path}" for scope, path in files]
            text = written(configuration, client.format).splitlines()
            results.lines += ["", *(f"    {line}".rstrip() for line in text), ""]
    return results.report(server, 2 if results.problems and ids else 0)


@clients.command()
@PROJECT
@_CLIENT
@click.option(
    "--scope", type=click.Choice(["user", "project"]), help="For the user, or in the project only."
)
@click.option(
    "--via",
    type=click.Choice(["command", "project", "file", "bundle", "link"]),
    metavar="MEANS",
    help="How: command (the client's own), project, file, bundle or link (default: the best).",
)
@_TRANSPORT
@_DRY_RUN
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

    Everything else in their files is kept to the byte, and the old file is saved beside it. Values of
    variables that a client cannot look up are taken from the environment of this command.
    """
    server, machine = subject(project), this_machine()
    if not ids:
        here = [client.id for client in _chosen(()) if is_here(client, machine)]
        known = f"on this machine: {', '.join(here)}" if here else ", ".join(client_ids())
        raise click.UsageError(f"name a client with --client ({known})")
    results, asked = _Results(), Asked(scope, via, transport)
    for client in _chosen(ids):
        with results.collecting(client=client.id):
            installation = installing.plan(server, client, asked, machine)
            if not dry_run:
                installing.carry_out(installation, machine)
            results.rows.append(installations.as_row(installation, dry_run))
            results.lines += installations.lines_of(installation, dry_run)
    return results.report(server)


@clients.command()
@PROJECT
@_CLIENT
@click.option("--all", "every", is_flag=True, help="All clients that have it.")
@_DRY_RUN
@reports
def remove(project: Path, ids: tuple[str, ...], every: bool, dry_run: bool) -> Report:
    """Remove the server of PROJECT from clients.

    Files that nobody else has changed are restored to the byte.
    """
    if bool(ids) == every:
        raise click.UsageError("name clients with --client, or all with --all")
    server, machine = subject(project), this_machine()
    results = _Results()
    for client in _chosen(ids):
        held = [*listed(server, client, machine)]
        results.problems += [entry.problem for entry in held if entry.problem]
        ours = [entry for entry in held if entry.is_ours]
        if ids and not ours:
            message = f"{client.name} has no entry that starts the server of `{project}`"
            results.problems += ScaffoldError.of("not-installed", message, client.id).diagnostics
        for entry in ours:
            row = {"client": client.id, "scope": entry.scope, "path": str(entry.path)}
            with results.collecting(**row):
                removal = removing.plan(server, client, entry, machine)
                if not dry_run:
                    removing.carry_out(removal, machine)
                command = list(removal.command) if removal.command else None
                result = "planned" if dry_run else "removed"
                results.rows.append({**row, "result": result, "command": command})
                by = (
                    f"by its own command: {shlex.join(command)}"
                    if command
                    else f"from {entry.path}"
                )
                results.lines.append(f"{client.name}: {'would be ' if dry_run else ''}removed {by}")
    if not results.rows and not results.problems:
        results.lines.append(f"nothing of `{project}` is installed into any client")
    return results.report(server)


@clients.command()
@PROJECT
@_CLIENT
@click.option("--real", is_flag=True, help="Use the addresses and paths of the entries.")
@reports
def test(project: Path, ids: tuple[str, ...], real: bool) -> Report:
    """Start the server of PROJECT as clients do.

    The entries are read from the clients' own files. The exit code is 1 if a client cannot use it.
    Without --client, all clients with an entry are tried. Without --real, the server reaches no
    address, and its paths are in a temporary directory.
    """
    from scaffold.trial.trial import trials  # slow to import, with the SDK

    server = subject(project)
    server = replace(server, stand_ins={}) if real else server
    attempts = [*trials(server, _chosen(ids), this_machine(), wanted=bool(ids))]
    name, command = server.server.name, server.installing("ID")
    below = [f"made up: {', '.join(server.stand_ins)}; --real uses yours"]
    if not attempts:
        below = [f"no client has an entry for `{name}`; `{command}` writes one"]
    return Report(
        [finding for trial in attempts for finding in trial.findings],
        int(not attempts or not all(trial.works for trial in attempts)),
        out=[line for trial in attempts for line in installations.trial_lines(trial)],
        below=below if server.stand_ins or not attempts else [],
        every=True,
        data={"server": name, "clients": [*map(installations.trial_row, attempts)]},
    )
