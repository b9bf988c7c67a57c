"""Import the server of an entry in the configuration of an MCP client on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.clients.client import Client, read_clients
from scaffold.clients.places import places, this_machine
from scaffold.clients.reading import Meant, meant
from scaffold.editing.formats import format_of
from scaffold.sources.secrets import filled, filled_headers, variable_for, without_secrets
from scaffold.sources.server import from_command, from_url
from scaffold.sources.source import Source
from scaffold.sources.upstream import program


def read_entry(source: str) -> Source:
    """Return the source that `client:ID/NAME` is.

    Raises ScaffoldError if there is no such entry, or if its server cannot be read.
    """
    entry = configured(source)
    if entry.transport == "stdio":
        environment = {name: filled(value) for name, value in entry.env.items()}
        command = [*map(filled, entry.command)]
        server = from_command(command, environment=environment, name=source)
        env = [*dict.fromkeys([*entry.env, *entry.names])]
        return replace(server, upstream=program([*map(_named, entry.command)], env))
    upstream: dict[str, Any] = {"url": without_secrets(_named(entry.url))}
    if entry.headers:
        upstream["headers"] = {key: _written(key, value) for key, value in entry.headers.items()}
    headers = filled_headers({key: _named(value) for key, value in entry.headers.items()})
    return from_url(filled(entry.url), headers, source, upstream)


def configured(source: str) -> Meant:
    """Return the entry of `client:ID/NAME`. Raises ScaffoldError if there is none."""
    id, _, name = source.removeprefix("client:").partition("/")
    clients = {client.id: client for client in read_clients()}
    if id not in clients:
        hint = did_you_mean(id, clients, f"the clients are {join(clients, 'and')}")
        raise ScaffoldError.of("not-importable", f"unknown client `{id}`", source, hint)
    files = [Path(file) for _, file in reversed(places(clients[id], os.curdir, this_machine()))]
    entries: dict[str, Any] = {}
    for file in files:
        entries |= _entries(file, clients[id])
    if name not in entries:
        looked = join(map(str, files), "and")
        message = f"`{clients[id].name}` has no server `{name}` in {looked}"
        has = f"it has {join(entries, 'and')}" if entries else ""
        raise ScaffoldError.of("not-importable", message, source, did_you_mean(name, entries, has))
    entry = meant(clients[id], entries[name])
    if not (entry.command or entry.url):
        message = f"the entry cannot be used: {entry.faults[0]}"
        raise ScaffoldError.of("not-importable", message, source, "correct it in the client's file")
    token = {"Authorization": f"Bearer ${{{entry.token}}}"} if entry.token else {}
    return replace(entry, headers={**entry.headers, **token})


def _entries(file: Path, client: Client) -> Mapping[str, Any]:
    """Return the entries of a configuration file; none if it cannot be read."""
    format = "jsonc" if client.format == "json" else client.format  # more than some clients allow
    if format == "form":
        return {}
    try:
        return format_of(format).entries(file.read_text("utf-8-sig"), client.root)
    except (OSError, ValueError):
        return {}


def _written(name: str, value: str) -> str:
    """Return a header's value as written; if it refers to no variable, return one in its place."""
    value = _named(value)
    return value if "${" in value else f"${{{variable_for(name)}}}"


def _named(value: str) -> str:
    """Return a value with `${NAME}` for `${env:NAME}`."""
    return re.sub(r"\$\{env:(\w+)\}", r"${\1}", value)
