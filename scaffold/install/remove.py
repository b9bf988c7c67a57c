"""Remove a server from a client."""

from __future__ import annotations

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.client import Client
from scaffold.clients.commands import remove_command, run_command
from scaffold.clients.entry import Entry
from scaffold.clients.places import Machine
from scaffold.install.choose import entries_for
from scaffold.install.configuration import Configuration
from scaffold.install.install import check_quit
from scaffold.install.listing import Held, is_ours
from scaffold.install.subject import Subject


class Removal(Struct, frozen=True):
    """What removing an entry does.

    `command` is the client's own; if it is None, the file gets the bytes `new`, or is removed if they
    are None. `copies` are those of the file that are no longer needed then. If the entry is not one
    that we would write now, another copy is kept: `keep`. Somebody may have edited it.
    """

    client: Client
    name: str
    configuration: Configuration
    command: tuple[str, ...] | None = None
    new: bytes | None = None
    copies: tuple[Configuration, ...] = ()
    keep: bool = False


def plan(subject: Subject, client: Client, held: Held, machine: Machine) -> Removal:
    """Return what removing an entry of a server would do. Nothing is written. Raises ScaffoldError.

    If an entry put into a copy of the file gives the file, to the byte, nobody else has written since
    the copy was made: it becomes the file again. So does no file, if that gives it.
    """
    name, configuration = subject.server.name, Configuration.read(held.path, client)
    if held.scope == "user":
        if "file" not in client.means and (words := remove_command(client, name, machine)):
            return Removal(client, name, configuration, words, keep=held.state != "same")
        check_quit(client, configuration)
    configuration.check_replaceable()
    entries = entries_for(subject, client, held.scope, machine)
    inputs = {item["id"]: item for entry in entries for item in entry.inputs}
    entries = [entry._replace(fields=held.fields) for entry in entries]
    copies = [copy for copy in configuration.copies() if _gives(copy, configuration, name, entries)]
    before = next((copy.data for copy in copies if name not in copy.entries()), None)
    is_new = _gives(replace(configuration, data=None), configuration, name, entries)
    keep = held.state != "same"
    if is_new or before is not None:
        unneeded = tuple(copy for copy in copies if _is_unneeded(copy, subject, held, machine))
        return Removal(client, name, configuration, new=before, copies=unneeded, keep=keep)
    new = configuration.drop(name, [*inputs.values()])
    return Removal(client, name, configuration, new=new, keep=keep)


def _is_unneeded(copy: Configuration, subject: Subject, held: Held, machine: Machine) -> bool:
    """Return whether a copy that gives the file has no entry that somebody may have edited."""
    fields = copy.entries().get(subject.server.name)
    return fields is None or is_ours(fields, subject, copy.client, held.scope, machine)


def _gives(
    copy: Configuration, configuration: Configuration, name: str, entries: list[Entry]
) -> bool:
    """Return whether one of the entries, put into a copy of a file or a new one, gives the file."""
    with suppress(ScaffoldError):  # it is not one of ours
        return any(copy.put(name, entry) == configuration.data for entry in entries)
    return False


def carry_out(plan: Removal, machine: Machine) -> None:
    """Remove an entry. Raises ScaffoldError."""
    configuration = plan.configuration
    if plan.command:
        if plan.keep:
            configuration.keep()
        run_command(plan.command, plan.client)
        if plan.name in Configuration.read(configuration.path, plan.client).entries():
            message = f"the command of {plan.client.name} left the entry `{plan.name}`"
            hint = "remove it yourself"
            raise ScaffoldError.of("client-command-failed", message, configuration.path, hint)
        return
    configuration.replace(plan.new, plan.keep)
    for copy in plan.copies:
        copy.path.unlink(missing_ok=True)
    folder = configuration.path.parent
    if plan.new is None and str(folder) != machine.home:
        with suppress(OSError):  # something is in it
            folder.rmdir()
