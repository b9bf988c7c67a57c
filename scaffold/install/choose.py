"""Choose how to install a server into a client: transport, scope and means."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import join
from scaffold.clients.client import Client
from scaffold.clients.commands import add_command
from scaffold.clients.entry import NPX, Entry, entry
from scaffold.clients.places import Machine, project_file, user_files
from scaffold.install.subject import Subject


class Asked(Struct, frozen=True):
    """What the user asked for; None leaves the choice to us."""

    scope: str | None = None
    via: str | None = None
    transport: str | None = None


class Choice(Struct, frozen=True):
    """A way to install a server into a client.

    `path` is the client's file, if it has one for this scope. `command` is the client's own, for
    the means `command`. `shown` is the entry with asterisks for the secret values. `values` are
    the names of the variables whose values the entry has from the environment.
    """

    client: Client
    means: str
    scope: str
    transport: str
    entry: Entry
    shown: Entry
    path: Path | None
    command: tuple[str, ...] | None = None
    values: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The client's own command as one would type it."""
        return shlex.join(self.command or ())


def choose(subject: Subject, client: Client, asked: Asked, machine: Machine) -> Choice:
    """Return the best way that was asked for. Raises ScaffoldError if there is none."""
    transport = transport_for(subject, client, asked.transport)
    masked = {name: "****" for name in subject.secrets if machine.environ.get(name)}
    hidden = replace(machine, environ={**machine.environ, **masked})
    own, shown = (
        entry_for(subject, client, transport, "user", place) for place in (machine, hidden)
    )
    reasons: dict[str, None] = {}
    last: Choice | None = None
    for means in (asked.via,) if asked.via else client.means:
        scope = "project" if means == "project" else "user"
        if asked.scope not in (None, scope):
            continue
        file = project_file(client, str(subject.project), machine)
        if scope == "user":
            file = next(iter(user_files(client, machine)), None)
        path = Path(file) if file else None
        command = add_command(client, own, machine) if means == "command" else None
        if reason := _reason_against(subject, client, means, path, command):
            reasons[reason] = None
        elif scope == "user":
            values = _values(subject, client, transport, machine)
            return Choice(client, means, scope, transport, own, shown, path, command, values)
        else:
            shared = entry_for(subject, client, transport, scope, machine)
            last = Choice(client, means, scope, transport, shared, shared, path)
            if not shared.pasted and own.fields == shown.fields:
                return last
            # It lacks a secret that the user's own file would have: that is better.
    if last:
        return last
    by = f" by {asked.via}" if asked.via else ""
    scoped = f" for scope `{asked.scope}`" if asked.scope else ""
    why = " and ".join(reasons) or "mcp-scaffold knows no file or command for this"
    hint = f"the means of {client.name} are {join(client.means, 'and')}"
    if not client.means:
        hint = f"`mcp-scaffold clients show --client {client.id}` shows what to enter there"
    message = f"cannot install into {client.name}{by}{scoped}: {why}"
    raise ScaffoldError.of("no-means", message, client.id, hint)


def _values(subject: Subject, client: Client, transport: str, machine: Machine) -> tuple[str, ...]:
    """Return the names of the variables whose values a user's entry takes from the environment."""
    names = sorted(name for name in subject.names if machine.environ.get(name))
    marks = {name: f"<{name}>" for name in names}
    marked = replace(machine, environ={**machine.environ, **marks})
    fields = str(entry_for(subject, client, transport, "user", marked).fields)
    return tuple(name for name in names if marks[name] in fields)


def entry_for(
    subject: Subject, client: Client, transport: str, scope: str, machine: Machine
) -> Entry:
    """Return the entry for a client.

    For the user's own files, values that the client cannot refer to are taken from the environment.
    A project's files get no values: they are shared.
    """
    names = sorted(subject.names) if scope == "user" else ()
    values = {name: machine.environ[name] for name in names if machine.environ.get(name)}
    npx = ("cmd", "/c", "npx") if machine.system == "windows" else NPX
    return entry(subject.server, client.within(scope), transport, subject.program, values, npx)


def entries_for(subject: Subject, client: Client, scope: str, machine: Machine) -> list[Entry]:
    """Return the entry for each transport by which the client can use the server."""
    usable = (way for way in subject.server.transports if way not in client.without)
    return [entry_for(subject, client, way, scope, machine) for way in usable]


def missing(choice: Choice) -> ScaffoldError | None:
    """Return the error about variables without a value, if the entry needs any."""
    if not choice.entry.pasted:
        return None
    names = join(choice.entry.pasted, "and")
    client = choice.client.name
    if choice.scope == "project":
        message = f"the project's file is shared, and {client} cannot read {names} from elsewhere"
        return ScaffoldError.of(
            "secret-in-project", message, str(choice.path), "use `--scope user` or another client"
        )
    message = f"{client} needs the value of {names} in its configuration"
    hint = f"set {names} in the environment of this command"
    return ScaffoldError.of("value-missing", message, choice.client.id, hint)


def transport_for(subject: Subject, client: Client, asked: str | None) -> str:
    """Return the transport that was asked for, or the first that the client can use.

    Raises ScaffoldError (`transport-unsupported`) if there is none.
    """
    offered = subject.server.transports
    if asked and asked not in offered:
        message = f"the server has no transport `{asked}`"
        hint = f"it has {join(offered, 'and')}"
        raise ScaffoldError.of("transport-unsupported", message, client.id, hint)
    for transport in (asked,) if asked else offered:
        if transport not in client.without:
            return transport
    reason = client.without[asked or offered[0]]
    message = f"{client.name} cannot reach the server over {asked or join(offered, 'or')}: {reason}"
    others = [transport for transport in offered if transport not in client.without]
    hint = f"use `--transport {others[0]}`" if others else "add another transport to the spec"
    raise ScaffoldError.of("transport-unsupported", message, client.id, hint)


def _reason_against(
    subject: Subject,
    client: Client,
    means: str,
    path: Path | None,
    command: tuple[str, ...] | None,
) -> str | None:
    """Return why a client cannot be configured by these means, or None."""
    if means in ("project", "file", "command") and path is None:
        return f"it has no {'project' if means == 'project' else 'user'} file on this system"
    if means == "command" and client.command is None:
        return "it has no command that adds servers"
    if means == "command" and command is None:
        return f"`{client.program}` is not on PATH, or is a batch file"
    if means == "link" and not client.links:
        return "it has no install links"
    if means == "bundle" and "bundle" not in client.means:
        return "it takes no bundles"
    if means == "bundle" and not subject.bundled:
        return "the spec has no `mcpb` in `publish.packages`"
    return None
