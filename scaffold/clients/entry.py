"""Entries: what a client's configuration says about one server, as data."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scaffold.clients.client import Client
from scaffold.clients.server import Program, Server, Variable
from scaffold.clients.shapes import fill

_NO_VALUES: Mapping[str, str] = MappingProxyType({})

NPX = ("npx",)
"""The command that starts the bridge; on Windows, `cmd /c npx`."""


class Entry(NamedTuple):
    """What a client's configuration says about one server.

    `fields` are under the server's name, and `inputs` are the values that the client prompts for.
    `pasted` names the variables with a placeholder, `PASTE_…_HERE`, instead of a value. `facts` are
    the values of the slots.
    """

    facts: Mapping[str, Any]
    fields: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...]
    pasted: tuple[str, ...]


def entry(
    server: Server,
    client: Client,
    transport: str,
    program: Program,
    values: Mapping[str, str] = _NO_VALUES,
    npx: Sequence[str] = NPX,
) -> Entry:
    """Return the entry of a server for a client; `transport` must not be in `client.without`.

    Over stdio, `program` starts the server. `values` are used where the client cannot refer to a
    variable: without a value, a required one has a placeholder, and an optional one is empty.
    """
    variables = [v for v in server.variables(transport) if not _is_misread(client, v)]
    bridged = transport not in client.entry
    if bridged:
        facts = _bridge(server, client, transport, values, npx)
    elif transport == "stdio":
        facts = _process(server, client, program, variables, values)
    else:
        facts = _remote(server, client, transport, values)
    title = server.title or server.name
    facts |= {
        "name": server.name,
        "title": title,
        "description": server.description or title,
        "folder": program.folder,
    }
    fields = fill(client.entry["stdio" if bridged else transport], facts)
    prompted = [v for v in variables if "<id>" in client.variable.get(v.kind, "")]
    return Entry(
        facts=facts,
        fields=fields,
        inputs=tuple(fill(client.inputs, _variable_facts(server, v, values)) for v in prompted),
        pasted=tuple(v.name for v in variables if v.required and _is_pasted(v, fields)),
    )


def document(client: Client, name: str, entry: Entry) -> dict[str, Any]:
    """Return a whole configuration with nothing but this entry for the server `name`."""
    if not client.root:
        return dict(entry.fields)
    whole: dict[str, Any] = dict(client.beside)
    if entry.inputs:
        whole["inputs"] = list(entry.inputs)
    whole[client.root] = {name: entry.fields}
    return whole


def _process(
    server: Server,
    client: Client,
    program: Program,
    variables: Sequence[Variable],
    values: Mapping[str, str],
) -> dict[str, Any]:
    """Return the command that starts the server, and the variables that it needs."""
    command, *args = program.command
    options = [] if server.transports[0] == "stdio" else ["--transport", "stdio"]
    valued = [v for v in variables if v.kind in client.variable]
    env = {v.name: _value(server, client, v, values) for v in valued}
    return _command(command, [*args, *options], env) | {
        "names": [v.name for v in variables if v.kind not in client.variable],
        "options": options,
    }


def _remote(
    server: Server, client: Client, transport: str, values: Mapping[str, str]
) -> dict[str, Any]:
    """Return the address and headers of a running server."""
    bearer = _bearer(server, client, transport, values)
    return {
        "url": server.url(transport),
        "headers": {"Authorization": bearer} if bearer else {},
        "header": f"Authorization: {bearer}" if bearer else "",
        "scheme": "Bearer" if bearer else "",
        "token": server.bearer_env or "",
        "names": [server.bearer_env] if server.bearer_env else [],
    }


def _bridge(
    server: Server,
    client: Client,
    transport: str,
    values: Mapping[str, str],
    npx: Sequence[str],
) -> dict[str, Any]:
    """Return a command that bridges stdio to a running HTTP server.

    mcp-remote expands the variable in its arguments. The header is not passed directly because
    some clients on Windows break arguments with spaces (mcp-remote, README).
    """
    url, bearer = server.url(transport), _bearer(server, client, transport, values)
    command, *args = npx
    args += ["-y", "mcp-remote", url]
    args += ["--transport", "sse-only" if transport == "sse" else "http-only"]
    if not url.startswith(("http://127.0.0.1:", "http://localhost:")):
        args += ["--allow-http"]
    if bearer:
        args += ["--header", "Authorization:${AUTH_HEADER}"]
    return _command(command, args, {"AUTH_HEADER": bearer} if bearer else {}) | {"names": []}


def _command(command: str, args: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    return {
        "command": command,
        "args": list(args),
        "program": [command, *args],
        "arguments": shlex.join(args),
        "env": dict(env),
        "environment": " ".join(f"{name}={shlex.quote(value)}" for name, value in env.items()),
    }


def _bearer(server: Server, client: Client, transport: str, values: Mapping[str, str]) -> str:
    """Return the credentials that a request over HTTP carries, or nothing."""
    return "".join(
        f"Bearer {_value(server, client, v, values)}" for v in server.variables(transport)
    )


def _value(server: Server, client: Client, variable: Variable, values: Mapping[str, str]) -> str:
    """Return a reference to the variable in the client's syntax, or its value."""
    shape = client.variable.get(variable.kind, "<value>")
    return str(fill(shape, _variable_facts(server, variable, values)))


def _variable_facts(
    server: Server, variable: Variable, values: Mapping[str, str]
) -> dict[str, object]:
    """Return the slot values for a variable.

    Clients share inputs between servers, so `id` includes the server's name. The dot, which no
    name contains, keeps the ids of `TOKEN` and `SERVER_TOKEN` apart.
    """
    slug = variable.name.lower().replace("_", "-")
    placeholder = _placeholder(variable) if variable.required else ""
    return {
        "name": variable.name,
        "id": slug if slug.startswith(f"{server.name}-") else f"{server.name}.{slug}",
        "description": variable.description or variable.name,
        "secret": variable.secret,
        "value": values.get(variable.name, placeholder),
        "default": values.get(variable.name, variable.default),
    }


def _placeholder(variable: Variable) -> str:
    return f"PASTE_{variable.name}_HERE"


def _is_pasted(variable: Variable, fields: Mapping[str, Any]) -> bool:
    return bool(re.search(rf"\b{_placeholder(variable)}\b", str(fields)))


def _is_misread(client: Client, variable: Variable) -> bool:
    """Return whether the client would replace a part of the default value, which the server knows anyway."""
    return (
        variable.kind == "default"
        and client.expands is not None
        and not set("${}%`").isdisjoint(variable.default or "")
    )
