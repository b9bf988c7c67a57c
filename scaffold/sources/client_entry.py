"""Find a server in the configuration of an MCP client on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.clients.client import Client, read_clients
from scaffold.clients.formats import format_of
from scaffold.clients.places import places, this_machine
from scaffold.diagnostics import ScaffoldError
from scaffold.diagnostics.wording import did_you_mean, join
from scaffold.sources.secrets import without_secrets


class Configured(Struct, frozen=True):
    """A server as a client is told of it: a command with variables, or a URL with headers.

    `written` is the URL and `variables` are the headers with `${NAME}` for what a spec must not
    hold.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    url: str
    written: str
    headers: Mapping[str, str]
    variables: Mapping[str, str]


def configured(source: str) -> Configured:
    """Return the server of `client:ID/NAME`. Raises ScaffoldError if there is no such entry."""
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
    return _configured(entries[name])


def _entries(file: Path, client: Client) -> Mapping[str, Any]:
    """Return the entries of a configuration file; none if it cannot be read."""
    format = "jsonc" if client.format == "json" else client.format  # more than some clients allow
    if format == "form":
        return {}
    try:
        return format_of(format).entries(file.read_text("utf-8-sig"), (client.root,))
    except (OSError, ValueError):
        return {}


def _configured(entry: Any) -> Configured:
    entry = entry if isinstance(entry, dict) else {}
    arguments = entry.get("args") or []
    program = entry.get("command") or entry.get("cmd") or []
    command = (*(program if isinstance(program, list) else [program]), *arguments)
    environment = entry.get("env") or entry.get("environment") or entry.get("envs") or {}
    url = str(entry.get("url") or entry.get("serverUrl") or "")
    return Configured(
        tuple(map(str, command)),
        {key: _expanded(str(value)) for key, value in environment.items()},
        _expanded(url),
        without_secrets(_named(url)),
        {key: _expanded(str(value)) for key, value in (entry.get("headers") or {}).items()},
        {key: _variable(key, str(value)) for key, value in (entry.get("headers") or {}).items()},
    )


def _variable(name: str, value: str) -> str:
    """Return the value of a header as it was written, or as a variable if it names none."""
    value = _named(value)
    return value if "${" in value else f"${{{re.sub(r'[^A-Z0-9]', '_', name.upper())}}}"


def _named(value: str) -> str:
    """Return a value with `${NAME}` for `${env:NAME}`."""
    return re.sub(r"\$\{env:(\w+)\}", r"${\1}", value)


def _expanded(value: str) -> str:
    """Replace `${NAME}` and `${env:NAME}` by the variables of this process."""
    return re.sub(r"\$\{(?:env:)?(\w+)\}", lambda m: os.environ.get(m[1], ""), value)
