"""The data that clients need about the server, and the clients that templates see."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold.base.text import readable, summary
from scaffold.clients import client as clients_data
from scaffold.clients.server import Server, Variable
from scaffold.clients.snippets import placeholder, snippets
from scaffold.format.spec import Spec
from scaffold.packs.traits import Traits
from scaffold.project.model import Client


def served(spec: Spec, name: str) -> Server:
    """Return what clients must know about the server of a spec; `name` is that of its command."""
    oauth = spec.auth.oauth if spec.auth else None
    of_http = {*spec.shared, oauth.resource.env} if oauth else spec.shared
    return Server(
        name=name,
        title=spec.title,
        transports=tuple(spec.transports),
        host=spec.http.host,
        port=spec.http.port,
        env=tuple(
            Variable(v.name, v.description or "", v.default, v.secret, v.required)
            for v in spec.env
            if v.required or v.name not in of_http  # no client gives it
        ),
        bearer_env=spec.auth.token if spec.auth else None,
        description=summary(readable(spec.description, spec.title)),
    )


def described(
    server: Server, clients: Iterable[clients_data.Client], traits: Traits
) -> Iterable[Client]:
    """Yield each client, with its snippet for the first transport that it supports."""
    slots = {"name": server.name, "folder": placeholder(server)}
    command = next(iter(traits.ways("client", **slots)), (server.name,))
    for client in clients:
        missing = ((t, client.without[t]) for t in server.transports if t in client.without)
        has_variables = any(
            server.variables(t) for t in server.transports if t not in client.without
        )
        shown = snippets(server, [client], command)[:1]
        if client.inputs:  # What it says of variables is about those that it prompts for.
            has_variables = any(snippet.prompts for snippet in shown)
        yield Client(
            id=client.id,
            name=client.name,
            files=tuple(client.files.items()),
            where=client.where,
            notes=(
                *client.notes,
                *(client.variables if has_variables else ()),
                *dict.fromkeys(client.approval.values()),
            ),
            snippets=shown,
            missing=tuple(missing),
        )
