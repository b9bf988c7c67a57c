"""Which clients are on this machine, and which of them have a server."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.installing.choose import entry_for
from scaffold.clients.installing.configuration import Configuration
from scaffold.clients.installing.receipts import Receipt, Store, entry_hash
from scaffold.clients.installing.subject import Subject
from scaffold.clients.places import Machine, is_here, places
from scaffold.clients.reading import starts
from scaffold.diagnostics import Diagnostic, ScaffoldError


class Held(Struct, frozen=True):
    """What a file of a client has for the server.

    `state` is `same` (the entry that we would write), `outdated` (one that starts this server, or that
    we wrote, and differs), `other` (another entry of that name), `lost` (we wrote one, and it is
    gone) or `unreadable`.
    """

    scope: str
    path: Path
    state: str
    receipt: Receipt | None = None
    problem: Diagnostic | None = None


class Listed(Struct, frozen=True):
    """A client, whether it is on this machine, and what its files have for the server."""

    client: Client
    is_here: bool
    held: tuple[Held, ...]


def listed(subject: Subject, client: Client, machine: Machine, store: Store) -> Listed:
    """Return what a client has for a server. Raises ScaffoldError."""
    name, project = subject.server.name, str(subject.project)
    receipts = {r.path: r for r in store.of(client.id, subject.project, name)}
    files = [*places(client, project, machine)]
    files += [(r.scope, r.path) for r in receipts.values() if r.path not in dict(files).values()]
    held: list[Held] = []
    if client.root:
        for scope, file in files:
            path, receipt = Path(file), receipts.get(file)
            try:
                entry = Configuration.read(path, client).entries().get(name)
            except ScaffoldError as error:
                held.append(Held(scope, path, "unreadable", receipt, error.diagnostics[0]))
                continue
            if entry is not None:
                state = "other"
                if _is_ours(entry, subject, client, scope, machine):
                    state = "same"
                elif any(r.project == project and r.wrote(entry) for r in store.on(path, name)) or (
                    not receipt and starts(client, entry, subject.server, subject.program)
                ):
                    state = "outdated"
                held.append(Held(scope, path, state, receipt))
            elif receipt and receipt.before != Configuration.read(path, client).sha256:
                held.append(Held(scope, path, "lost", receipt))
    return Listed(client, is_here(client, machine), tuple(held))


def unrecorded(
    subject: Subject, client: Client, machine: Machine, store: Store
) -> tuple[Receipt, ...]:
    """Return receipts for the entries that start the server, and that no receipt knows."""
    name, found = subject.server.name, listed(subject, client, machine, store).held
    held = (one for one in found if one.state in ("same", "outdated") and not one.receipt)
    entries = ((one, Configuration.read(one.path, client).entries()[name]) for one in held)
    return tuple(
        Receipt(
            client.id,
            name,
            str(subject.project),
            one.scope,
            str(one.path),
            (entry_hash(entry),),
        )
        for one, entry in entries
    )


def _is_ours(found: Any, subject: Subject, client: Client, scope: str, machine: Machine) -> bool:
    """Return whether an entry is one that we would write, whatever the values of variables are."""
    if not isinstance(found, dict):
        return False
    values = {*subject.names, "Authorization", "AUTH_HEADER"}
    for transport in subject.server.transports:
        if transport not in client.without:
            wanted = dict(entry_for(subject, client, transport, scope, machine).fields)
            shape = client.entry.get(transport) or client.entry["stdio"]
            for key, value in shape.items():  # a client's own command may leave out defaults
                if "<" not in str(value) and key not in found:
                    wanted.pop(key, None)
            if _without(found, values) == _without(wanted, values):
                return True
    return False


def _without(value: Any, names: Collection[str]) -> Any:
    """Return data without the values under these names."""
    if isinstance(value, dict):
        return {key: None if key in names else _without(one, names) for key, one in value.items()}
    return [_without(one, names) for one in value] if isinstance(value, list) else value
