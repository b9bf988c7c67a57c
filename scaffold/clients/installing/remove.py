"""Remove a server from a client, the way it came."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from scaffold.clients.client import Client, read_client
from scaffold.clients.commands import remove_command, run_command
from scaffold.clients.installing.configuration import Configuration, digest, undisturbed
from scaffold.clients.installing.install import taken
from scaffold.clients.installing.receipts import Receipt, Store
from scaffold.clients.installing.running import running
from scaffold.clients.places import Machine, program
from scaffold.diagnostics import ScaffoldError


class Removal(Struct, frozen=True):
    """What removing one installation does.

    If the entry is `gone`, only the receipt is left to remove; the copy of the old file stays then,
    unless it is the file. `command` is the client's own; if it is None, the file gets the bytes
    `new`, or is removed if they are None.
    """

    receipt: Receipt
    client: Client
    found: Configuration
    gone: bool = False
    command: tuple[str, ...] | None = None
    new: bytes | None = None

    @property
    def copy(self) -> str | None:
        """The copy of the old file that stays, if there is one."""
        kept = kept_bytes(self.receipt)
        return self.receipt.kept if self.gone and kept not in (None, self.found.data) else None


def remove(receipt: Receipt, machine: Machine, store: Store) -> Removal:
    """Remove an installation, and return what was done. Raises ScaffoldError."""

    def attempt() -> Removal:
        made = plan(receipt, machine, store)
        carry_out(made, store)
        return made

    with store.exclusive():
        return undisturbed(attempt)


def plan(receipt: Receipt, machine: Machine, store: Store) -> Removal:
    """Return what removing an installation would do. Nothing is written. Raises ScaffoldError."""
    client = read_client(receipt.client)
    found = Configuration.read(Path(receipt.path), client)
    entries = found.entries()
    if receipt.server not in entries:
        return Removal(receipt, client, found, gone=True)
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
    old = kept_bytes(receipt)
    if intact and (receipt.before is None or old is not None):
        return Removal(receipt, client, found, new=old)
    return Removal(receipt, client, found, new=found.drop(receipt.server, receipt.inputs))


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
        found.replace(plan.new, {receipt.before, receipt.after})
    elif found.target.parent.is_dir():
        found.clean({found.sha256, receipt.before, receipt.after})
    if receipt.kept and not plan.copy:
        Path(receipt.kept).unlink(missing_ok=True)
    for created in receipt.folders:
        with suppress(OSError):  # something is in it
            Path(created).rmdir()
    store.forget(receipt)


def kept_bytes(receipt: Receipt) -> bytes | None:
    """Return the old file that was kept, if it is still what it was."""
    try:
        data = Path(receipt.kept).read_bytes() if receipt.kept else None
    except OSError:
        return None
    return data if data is not None and digest(data) == receipt.before else None
