"""Render configuration snippets for each client and transport."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.entry import Entry, document, entry
from scaffold.clients.links import links
from scaffold.clients.server import Program, Server
from scaffold.editing.formats import SUFFIXES, written


class Snippet(Struct, frozen=True):
    """The configuration for reaching the server by `transport`, as templates see it.

    `path` is relative to the snippets folder: `ID.json` for the server's default transport,
    `ID.TRANSPORT.json` for others. A `bridged` snippet starts `npx mcp-remote`, which needs
    Node.js. Placeholders are in capitals: `/ABSOLUTE/PATH/TO/…`, `PASTE_…_HERE`.
    """

    _server: Server
    _client: Client
    _program: Program
    transport: str

    @property
    def about(self) -> str:
        """The client and the transport."""
        return self.path

    @property
    def path(self) -> str:
        """Its path in the snippets folder."""
        default = self.transport == self._server.transports[0]
        suffix = "" if default else f".{self.transport}"
        return f"{self._client.id}{suffix}.{SUFFIXES[self._client.format]}"

    @property
    def bridged(self) -> bool:
        """Whether it starts a bridge."""
        return self.transport not in self._client.entry

    @property
    def text(self) -> str:
        """The whole snippet."""
        return written(document(self._client, self._server.name, self._entry), self._client.format)

    @property
    def prompts(self) -> bool:
        """Whether the client prompts for values."""
        return bool(self._entry.inputs)

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Links that add the server to the client, as pairs of label and URL."""
        return links(self._server, self._client, self.transport, self._program)

    @property
    def _entry(self) -> Entry:
        return entry(self._server, self._client, self.transport, self._program)


def placeholder(server: Server) -> str:
    """Return what stands for the folder of the server's project."""
    return f"/ABSOLUTE/PATH/TO/{server.name}"


def snippets(
    server: Server, clients: Iterable[Client], command: Sequence[str]
) -> tuple[Snippet, ...]:
    """Return a snippet for each client and transport that the client can use, in order.

    `command` starts the server; the `placeholder` in it stands for the folder of its project.
    """
    name, *args = command
    return tuple(
        Snippet(
            server, client, Program((client.programs + name, *args), placeholder(server)), transport
        )
        for client in clients
        for transport in server.transports
        if transport not in client.without
    )
