"""Render configuration snippets for each client and transport."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote

from scaffold.clients.client import Client
from scaffold.files import RelPath

ENDPOINTS = {"streamable-http": "/mcp", "sse": "/sse"}

SLOT = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that the server reads."""

    name: str
    description: str
    default: str | None
    secret: bool
    required: bool


@dataclass(frozen=True, slots=True)
class Server:
    """What clients must know about a server.

    `transports` holds at least one of `stdio`, `streamable-http` and `sse`; the first is the
    default. Over HTTP, the server listens on `host` and `port`. If `bearer_env` is given, requests
    must carry the token in that variable.
    """

    name: str
    title: str | None
    transports: tuple[str, ...]
    host: str
    port: int
    env: tuple[Variable, ...]
    bearer_env: str | None


@dataclass(frozen=True, slots=True)
class Snippet:
    """The configuration to merge into one of `client.files` to reach the server.

    `path` is relative to the snippets folder: `ID.json` for the server's default transport,
    `ID.TRANSPORT.json` for others. A `bridged` snippet starts `npx mcp-remote`, which needs
    Node.js. Placeholders are in capitals: `/ABSOLUTE/PATH/TO/…`, `PASTE_…_HERE`.
    """

    client: Client
    transport: str
    path: RelPath
    text: str
    bridged: bool


def snippets(server: Server, clients: Iterable[Client]) -> tuple[Snippet, ...]:
    """Return a snippet for each client and transport of the server, in order."""
    return tuple(
        _snippet(server, client, transport) for client in clients for transport in server.transports
    )


def _snippet(server: Server, client: Client, transport: str) -> Snippet:
    default = server.transports[0]
    bridged = transport not in client.entry
    variables = _process_variables(server) if transport == "stdio" else _http_variables(server)
    references = {v.name: _reference(server, client, v) for v in variables}
    if transport == "stdio":
        values = _process(server, client, references)
    else:
        address = url(server, transport)
        bearer = f"Bearer {references[server.bearer_env]}" if server.bearer_env else None
        values = _bridge(address, transport, bearer) if bridged else _remote(address, bearer)

    document: dict[str, object] = {}
    if client.inputs and variables:
        document["inputs"] = [_fill(client.inputs, _facts(server, v)) for v in variables]
    entry = client.entry["stdio" if bridged else transport]
    document[client.root] = {server.name: _fill(entry, values)}
    suffix = "" if transport == default else f".{transport}"
    return Snippet(
        client=client,
        transport=transport,
        path=RelPath(f"{client.id}{suffix}.json"),
        text=json.dumps(document, indent=2, ensure_ascii=False) + "\n",
        bridged=bridged,
    )


def _process(server: Server, client: Client, env: Mapping[str, object]) -> dict[str, object]:
    """Return the command that starts the server, independent of the working directory."""
    args = ["--directory", f"/ABSOLUTE/PATH/TO/{server.name}", "run", server.name]
    if server.transports[0] != "stdio":
        args += ["--transport", "stdio"]
    return {"command": client.uv, "args": args, "env": env or None}


def _remote(url: str, bearer: str | None) -> dict[str, object]:
    """Return the address and headers of a running server."""
    return {"url": url, "headers": {"Authorization": bearer} if bearer else None}


def _bridge(url: str, transport: str, bearer: str | None) -> dict[str, object]:
    """Return a command that bridges stdio to a running HTTP server.

    mcp-remote expands the variable in its arguments. The header is not passed directly because
    some clients on Windows break arguments with spaces (mcp-remote, README).
    """
    args = ["-y", "mcp-remote", url]
    args += ["--transport", "sse-only" if transport == "sse" else "http-only"]
    if not url.startswith(("http://127.0.0.1:", "http://localhost:")):
        args += ["--allow-http"]
    if bearer:
        args += ["--header", "Authorization:${AUTH_HEADER}"]
    return {"command": "npx", "args": args, "env": {"AUTH_HEADER": bearer} if bearer else None}


def _process_variables(server: Server) -> tuple[Variable, ...]:
    """Return the variables that the client must set: required ones and secrets.

    Variables with defaults are left out. So is the bearer token, which only HTTP uses, unless it
    is required.
    """
    return tuple(
        v
        for v in server.env
        if v.default is None and (v.required or (v.secret and v.name != server.bearer_env))
    )


def _http_variables(server: Server) -> tuple[Variable, ...]:
    """Return the variable of the bearer token, marked as required, if there is one."""
    if server.bearer_env is None:
        return ()
    declared = {v.name: v.description for v in server.env}
    description = declared.get(server.bearer_env, f"Token for {server.title or server.name}")
    return (Variable(server.bearer_env, description, default=None, secret=True, required=True),)


def url(server: Server, transport: str) -> str:
    """Return the URL of the server on its own machine; invalid host names are escaped."""
    host = quote(server.host, safe="")
    try:
        address = ip_address(server.host)
    except ValueError:
        pass
    else:
        loopback = "::1" if address.version == 6 else "127.0.0.1"
        host = loopback if address.is_unspecified else str(address)
        host = f"[{host}]" if address.version == 6 else host
    return f"http://{host}:{server.port}{ENDPOINTS[transport]}"


def _reference(server: Server, client: Client, variable: Variable) -> object:
    """Return a reference to the variable's value, in the client's syntax."""
    shape = client.variable["required" if variable.required else "optional"]
    return _fill(shape, _facts(server, variable))


def _facts(server: Server, variable: Variable) -> dict[str, object]:
    """Return the slot values for a variable.

    Clients share inputs between servers, so `id` includes the server's name. The dot, which no
    name contains, keeps the ids of `TOKEN` and `SERVER_TOKEN` apart.
    """
    slug = variable.name.lower().replace("_", "-")
    return {
        "name": variable.name,
        "id": slug if slug.startswith(f"{server.name}-") else f"{server.name}.{slug}",
        "description": variable.description or variable.name,
        "secret": variable.secret or None,
    }


def _fill(shape: object, values: Mapping[str, object]) -> object:
    """Return the shape with its slots filled; keys with a None value are left out."""
    if isinstance(shape, Mapping):
        filled = {key: _fill(value, values) for key, value in shape.items()}
        return {key: value for key, value in filled.items() if value is not None}
    if not isinstance(shape, str):
        return shape
    if slot := SLOT.fullmatch(shape):
        return values[slot[1]]
    return SLOT.sub(lambda slot: str(values[slot[1]]), shape)
