"""List the entries that the clients on this machine have for a server."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.clients.client import Client
from scaffold.clients.places import Machine, places
from scaffold.clients.reading import starts
from scaffold.install.choose import entries_for
from scaffold.install.configuration import Configuration
from scaffold.install.subject import Subject


class Held(Struct, frozen=True):
    """What a file of a client has for the server.

    `state` is `same` (the entry that we would write), `outdated` (another one that is for this server),
    `other` (an entry of that name for something else) or `unreadable`. `fields` is the entry.
    """

    scope: str
    path: Path
    state: str
    fields: Any = None
    problem: Diagnostic | None = None

    @property
    def is_ours(self) -> bool:
        """Whether it is for this server."""
        return self.state in ("same", "outdated")


def listed(subject: Subject, client: Client, machine: Machine) -> Iterator[Held]:
    """Yield what the files of a client have for a server."""
    files = places(client, str(subject.project), machine) if client.root else ()
    for scope, file in files:
        path = Path(file)
        try:
            fields = Configuration.read(path, client).entries().get(subject.server.name)
        except ScaffoldError as error:
            yield Held(scope, path, "unreadable", problem=error.diagnostics[0])
            continue
        if fields is not None:
            state = "other"
            if is_ours(fields, subject, client, scope, machine):
                state = "same"
            elif starts(client, fields, subject.server, subject.program):
                state = "outdated"
            yield Held(scope, path, state, fields)


def is_ours(fields: Any, subject: Subject, client: Client, scope: str, machine: Machine) -> bool:
    """Return whether an entry is one that we would write, whatever the values of variables are."""
    values = {*subject.names, "Authorization", "AUTH_HEADER"}
    wanted = entries_for(subject, client, scope, machine)
    return any(_without(fields, values) == _without(entry.fields, values) for entry in wanted)


def _without(value: Any, names: Collection[str]) -> Any:
    """Return data without the values under these names."""
    if isinstance(value, dict):
        return {key: None if key in names else _without(item, names) for key, item in value.items()}
    return [_without(item, names) for item in value] if isinstance(value, list) else value
