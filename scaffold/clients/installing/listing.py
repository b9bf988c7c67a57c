"""Which clients are on this machine, and which of them have a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.installing.choose import entry_for
from scaffold.clients.installing.configuration import Configuration
from scaffold.clients.installing.receipts import Receipt, Store
from scaffold.clients.installing.subject import Subject
from scaffold.clients.places import Machine, is_here, places
from scaffold.diagnostics import Diagnostic, ScaffoldError

_PLACEHOLDER = re.compile(r"PASTE_\w+_HERE")


class Held(Struct, frozen=True):
    """What a file of a client has for the server.

    `state` is `same` (the entry that we would write), `outdated` (one that we wrote for the project
    as it was), `other` (another entry of that name), `lost` (we wrote one, and it is gone) or
    `unreadable`.
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
                elif any(r.project == project and r.wrote(entry) for r in store.on(path, name)):
                    state = "outdated"
                held.append(Held(scope, path, state, receipt))
            elif receipt and receipt.before != Configuration.read(path, client).sha256:
                held.append(Held(scope, path, "lost", receipt))
    return Listed(client, is_here(client, machine), tuple(held))


def _is_ours(found: Any, subject: Subject, client: Client, scope: str, machine: Machine) -> bool:
    """Return whether an entry is one that we would write, whatever the values of variables are."""
    if not isinstance(found, dict):
        return False
    plain = Machine(machine.system, machine.home, {}, machine.exists)
    variables = {v.name for v in subject.server.env}
    for transport in subject.server.transports:
        if transport in client.without:
            continue
        shape = client.entry.get(transport) or client.entry["stdio"]
        fixed = {key for key, value in shape.items() if "<" not in str(value)}
        for where in (plain, machine):
            wanted = dict(entry_for(subject, client, transport, scope, where).fields)
            for key in fixed - found.keys():  # a client's own command may leave out defaults
                wanted.pop(key, None)
            if _alike(found, wanted, variables):
                return True
    return False


def _alike(found: Any, wanted: Any, variables: set[str]) -> bool:
    if isinstance(wanted, dict) and isinstance(found, dict):
        if found.keys() != wanted.keys():
            return False
        return all(
            _alike(found[key], value, variables) or (key in variables and value == "")
            for key, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(
            _alike(one, other, variables) for one, other in zip(found, wanted, strict=True)
        )
    if isinstance(wanted, str) and isinstance(found, str) and _PLACEHOLDER.search(wanted):
        pattern = ".*".join(map(re.escape, _PLACEHOLDER.split(wanted)))
        return re.fullmatch(pattern, found, re.DOTALL) is not None
    return bool(found == wanted)
