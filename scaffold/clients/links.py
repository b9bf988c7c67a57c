"""Links that add a server to a client; they never hold a secret."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from scaffold.clients.client import Client, Link
from scaffold.clients.entry import Entry, entry
from scaffold.clients.server import Program, Server
from scaffold.clients.shapes import fill


def links(
    server: Server, client: Client, transport: str, program: Program
) -> tuple[tuple[str, str], ...]:
    """Return links that add the server to the client by this transport, as pairs of label and URL.

    Values of variables are not in them: a link has references or placeholders.
    """
    offered = [link for link in client.links if transport in (link.transports or client.entry)]
    if not offered:
        return ()
    own = entry(server, client, transport, program)
    needy = bool(own.inputs) or any(v.required for v in server.variables(transport))
    filled = ((link.label, _filled(link, own)) for link in offered if link.variables or not needy)
    return tuple((label, url) for label, url in filled if url)


def _filled(link: Link, entry: Entry) -> str:
    """Return a link with the entry in it, or nothing if that leaves it without something it needs."""
    fields = _json(entry.fields)
    data = {
        **entry.facts,
        "json": fields,
        "base64": b64encode(fields.encode()).decode(),
        "named": _json({"name": entry.facts["name"], **entry.fields}),
        "inputs": _json(entry.inputs) if entry.inputs else "",
        "data": _json(fill(link.data, entry.facts)),
        "runner": link.runners.get(PurePath(str(entry.facts.get("command"))).stem, ""),
    }
    query: Mapping[str, Any] = fill(link.query, data)
    if not query:
        return str(fill(link.url, {slot: _escaped(str(value)) for slot, value in data.items()}))
    if not all(query.values()):
        return ""
    return f"{link.url}?{'&'.join(_parameters(query))}"


def _parameters(query: Mapping[str, Any]) -> Iterator[str]:
    for name, value in query.items():
        for item in value if isinstance(value, list) else [value]:
            yield f"{name}={_escaped(item)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _escaped(text: str) -> str:
    """Escape a text for any part of a URL, and for Markdown."""
    return quote(text, safe="")
