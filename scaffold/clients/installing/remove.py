"""Remove a server from a client, the way it came."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.clients.client import Client, read_client
from scaffold.clients.commands import remove_command
from scaffold.clients.installing.configuration import Configuration, digest, undisturbed
from scaffold.clients.installing.own_command import run_command
from scaffold.clients.installing.receipts import Receipt, Store
from scaffold.clients.installing.running import running
from scaffold.clients.installing.taken import taken
from scaffold.clients.installing.without import is_lost, without
from scaffold.clients.places import Machine, program
from scaffold.diagnostics import ScaffoldError


class Removal(Struct, frozen=True):
    """What removing one installation does.

    If the entry is `gone`, only the receipt is left to remove. If other entries are gone too, they
    are `lost`, and the copy of the old file stays. `command` is the client's own; if it
    is None, the file gets the bytes `new`, or is removed if they are None.
    """

    receipt: Receipt
    client: Client
    found: Configuration
    gone: bool = False
    lost: bool = False
    command: tuple[str, ...] | None = None
    new: bytes | None = None


def remove(receipt: Receipt, machine: Machine, store: Store) -> Removal:
    """Remove an installation, and return what was done. Raises ScaffoldError."""

    def attempt() -> Removal:
        made = plan(receipt, machine, store)
        carry_out(made, store)
        return made

    with store.exclusive(Path(machine.home)):
        return undisturbed(attempt)


def plan(receipt: Receipt, machine: Machine, store: Store) -> Removal:
    """Return what removing an installation would do. Nothing is written. Raises ScaffoldError."""
    client = read_client(receipt.client)
    found = Configuration.read(Path(receipt.path), client)
    entries = found.entries()
    if receipt.server not in entries:
        return Removal(receipt, client, found, gone=True, lost=is_lost(found, receipt))
    if not receipt.wrote(held := entries[receipt.server]):
        others = store.on(found.path, receipt.server)
        theirs = next((r for r in others if r != receipt and r.wrote(held)), None)
        raise taken(client, found.path, receipt.server, receipt, theirs)
    app = running(client.running) if receipt.scope == "user" else None
    intact = receipt.after is not None and found.sha256 == receipt.after
    if receipt.means == "command" and (app or not intact):
        words = remove_command(client, receipt.server, receipt.scope)
        tool = client.command and program(client.command.program, machine)
        if words and tool:
            return Removal(receipt, client, found, command=(tool, *words[1:]))
    if app:
        message = f"{client.name} runs (`{app}`), and would overwrite the file"
        raise ScaffoldError.of("client-running", message, found.path, f"quit {client.name} first")
    found.check_replaceable()
    return Removal(receipt, client, found, new=without(found, receipt))


def carry_out(plan: Removal, store: Store) -> None:
    """Remove an installation. Raises ScaffoldError; then its receipt stays."""
    receipt, found = plan.receipt, plan.found
    if plan.command:
        folder = Path(receipt.project) if receipt.scope == "project" else None
        run_command(plan.command, plan.client, folder)
        if receipt.server in Configuration.read(found.path, plan.client).entries():
            message = f"the command of {plan.client.name} left the entry `{receipt.server}`"
            raise ScaffoldError.of(
                "client-command-failed", message, found.path, "remove it yourself"
            )
    elif not plan.gone:
        if plan.new is not None and found.sha256 != receipt.after:
            # If we are killed, the version that we replace is known as one with our entry.
            receipt = replace(receipt, before=digest(plan.new), after=found.sha256)
            store.write(receipt)
            if receipt.kept:
                found.keep(plan.new, receipt.kept)
        found.replace(plan.new, {receipt.before, receipt.after})
    known = {receipt.before, receipt.after, Configuration.read(found.path, plan.client).sha256}
    if found.target.parent.is_dir():
        found.clean(known, receipt.kept)
    if receipt.kept and not plan.lost:
        Path(receipt.kept).unlink(missing_ok=True)
    for created in receipt.folders:
        with suppress(OSError):  # something is in it
            Path(created).rmdir()
    store.forget(receipt)
