"""Try the entries that clients have for the server of a project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold.base.diagnostics import Diagnostic, Place
from scaffold.clients.client import Client
from scaffold.clients.places import Machine
from scaffold.install.listing import listed
from scaffold.install.subject import Subject
from scaffold.trial.findings import Trial
from scaffold.trial.trial import tried


def trials(
    subject: Subject, clients: Iterable[Client], machine: Machine, wanted: bool
) -> Iterator[Trial]:
    """Yield a trial of each entry that clients have for the server.

    A client without an entry is a fault if it is `wanted`. An entry in a file that several clients
    read is tried for those that are `wanted`. Otherwise it is tried for those that are here, or if
    there are none, for all. Raises ScaffoldError.
    """
    found = [listed(subject, client, machine) for client in clients]
    known = {one.path for each in found for one in each.held if each.is_here}
    for each in found:
        for one in each.held:
            if wanted or each.is_here or one.path not in known:
                yield tried(each.client, one, subject, machine)
        if wanted and not each.held:
            yield _missing(subject, each.client)


def _missing(subject: Subject, client: Client) -> Trial:
    message = f"{client.name} has no entry for `{subject.server.name}`"
    hint = f"run `{subject.installing(client.id)}`"
    if not client.root:
        message = f"the configuration of {client.name} is in its dialog, not in a file"
        hint = "look there"
    found = Diagnostic("client-no-entry", message, Place(client.id), hint)
    return Trial(client, None, findings=(found,))
