"""Choose how to install a server into a client: transport, scope and means."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.clients.client import Client
from scaffold.clients.commands import add_command
from scaffold.clients.entry import NPX, Entry, entry
from scaffold.clients.installing.subject import Subject
from scaffold.clients.places import Machine, program, project_file, user_files
from scaffold.diagnostics import ScaffoldError
from scaffold.diagnostics.wording import join
from scaffold.yaml.document import mask

SCOPES = ("user", "project")

_SCOPE = {"project": "project", "file": "user", "bundle": "user", "link": "user"}
"""The scope of each means, but for commands, which may have both."""


class Asked(Struct, frozen=True):
    """What the user asked for; None leaves the choice to us."""

    scope: str | None = None
    via: str | None = None
    transport: str | None = None


class Choice(Struct, frozen=True):
    """A way to install a server into a client.

    `path` is the client's file, if it has one for this scope. `command` is the client's own, for
    the means `command`. `shown` is the entry with asterisks for the secret values.
    """

    client: Client
    means: str
    scope: str
    transport: str
    entry: Entry
    shown: Entry
    path: Path | None
    command: tuple[str, ...] | None = None

    @property
    def typed(self) -> str:
        """The client's own command as one would type it, with secrets masked."""
        words = add_command(self.client, self.transport, self.shown, self.scope) or ()
        return mask(shlex.join((*(self.command or ())[:1], *words[1:])))


def choose(subject: Subject, client: Client, asked: Asked, machine: Machine) -> Choice:
    """Return the best way that was asked for. Raises ScaffoldError if there is none."""
    transport = transport_for(subject, client, asked.transport)
    values = _values(subject, machine)
    secrets = {name: value for name, value in values.items() if name in subject.secrets}
    hidden = replace(machine, environ={**machine.environ, **dict.fromkeys(secrets, "****")})
    reasons: dict[str, None] = {}
    shared: Choice | None = None
    entries = {
        scope: tuple(entry_for(subject, client, transport, scope, m) for m in (machine, hidden))
        for scope in SCOPES
    }
    is_private = entries["user"][0].fields != entries["user"][1].fields
    for means, scope in _ways(client, asked):
        path = _path(subject, client, scope, machine)
        made, shown = entries[scope]
        command = None
        reason = _reason_against(subject, client, means, path)
        if reason is None and means == "command":
            command, reason = _command(client, scope, transport, made, machine)
            if command and scope == "user" and is_private:
                reason = "all users of the machine could see the secret that its command would get"
        if reason is None:
            found = Choice(client, means, scope, transport, made, shown, path, command)
            if scope == "user" or not (made.pasted or is_private):
                return found
            shared = shared or found  # without the secret: anything else is better
        else:
            reasons[reason] = None
    if shared:
        return shared
    by = f" by {asked.via}" if asked.via else ""
    scoped = f" for scope `{asked.scope}`" if asked.scope else ""
    why = " and ".join(reasons) or "mcp-scaffold knows no file or command for this"
    hint = f"the means of {client.name} are {join(client.means, 'and')}"
    if not client.means:
        hint = f"`mcp-scaffold clients show --client {client.id}` shows what to enter there"
    message = f"cannot install into {client.name}{by}{scoped}: {why}"
    raise ScaffoldError.of("no-means", message, client.id, hint)


def entry_for(
    subject: Subject, client: Client, transport: str, scope: str, machine: Machine
) -> Entry:
    """Return the entry for a client.

    For the user's own files, values that the client cannot refer to are taken from the environment.
    A project's files get no values: they are shared.
    """
    server, values = subject.server, _values(subject, machine)
    npx = ("cmd", "/c", "npx") if machine.system == "windows" else NPX
    given = values if scope == "user" else {}
    return entry(server, client.within(scope), transport, subject.program, given, npx)


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


def _values(subject: Subject, machine: Machine) -> dict[str, str]:
    """Return the values of the server's variables in the environment."""
    names = sorted(subject.names)
    return {name: machine.environ[name] for name in names if machine.environ.get(name)}


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


def _ways(client: Client, asked: Asked) -> list[tuple[str, str]]:
    """Return means and scopes to try, best first: for a project its file, which we keep as it is."""
    ways: list[tuple[str, str]] = []
    for means in (asked.via,) if asked.via else client.means:
        scopes = SCOPES if means == "command" else (_SCOPE[means],)
        ways += [(means, scope) for scope in scopes if asked.scope in (None, scope)]
    if not asked.via:
        last = ("command", "project")
        ways = sorted((way for way in ways if way != last or asked.scope), key=last.__eq__)
    return ways


def _path(subject: Subject, client: Client, scope: str, machine: Machine) -> Path | None:
    if scope == "project":
        file = project_file(client, str(subject.project), machine)
        return Path(file) if file else None
    return next(map(Path, user_files(client, machine)), None)


def _reason_against(subject: Subject, client: Client, means: str, path: Path | None) -> str | None:
    """Return why a client cannot be configured by these means, or None."""
    if means in ("project", "file", "command") and path is None:
        return f"it has no {'project' if means == 'project' else 'user'} file on this system"
    if means == "link" and not client.links:
        return "it has no install links"
    if means == "bundle" and "bundle" not in client.means:
        return "it takes no bundles"
    if means == "bundle" and not subject.bundled:
        return "the spec has no `mcpb` in `publish.packages`"
    return None


def _command(
    client: Client, scope: str, transport: str, made: Entry, machine: Machine
) -> tuple[tuple[str, ...] | None, str | None]:
    """Return the client's own command that adds an entry, or why there is none."""
    if client.command is None:
        return None, "it has no command that adds servers"
    found = program(client.command.program, machine)
    if found is None:
        return None, f"`{client.command.program}` is not on PATH, or is a batch file"
    words = add_command(client, transport, made, scope)
    if words is None:
        return None, f"`{client.command.program}` cannot add all of this entry"
    return (found, *words[1:]), None
