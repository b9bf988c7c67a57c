"""Render configuration snippets for each client and transport."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.entry import document, entry
from scaffold.clients.formats import SUFFIXES, written
from scaffold.clients.links import links
from scaffold.clients.server import Program, Server, file_program, project_program


class Snippet(Struct, frozen=True):
    """The configuration for reaching the server by `transport`, as templates see it.

    `path` is relative to the snippets folder: `ID.json` for the server's default transport,
    `ID.TRANSPORT.json` for others. A `bridged` snippet starts `npx mcp-remote`, which needs
    Node.js. Placeholders are in capitals: `/ABSOLUTE/PATH/TO/…`, `PASTE_…_HERE`. The plain texts and
    links are for a server in one file, which needs no uv.
    """

    _server: Server
    _client: Client
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
        return self._text(plain=False)

    @property
    def prompts(self) -> bool:
        """Whether the client prompts for values."""
        found = entry(self._server, self._client, self.transport, self._program(plain=False))
        return bool(found.inputs)

    @property
    def plain(self) -> str:
        """The same for a server in one file."""
        return self._text(plain=True)

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Links that add the server to the client, as pairs of label and URL."""
        return self._links(plain=False)

    @property
    def plain_links(self) -> tuple[tuple[str, str], ...]:
        """The same for a server in one file."""
        return self._links(plain=True)

    def _text(self, plain: bool) -> str:
        found = entry(self._server, self._client, self.transport, self._program(plain))
        return written(document(self._client, self._server.name, found), self._client.format)

    def _links(self, plain: bool) -> tuple[tuple[str, str], ...]:
        return links(self._server, self._client, self.transport, self._program(plain))

    def _program(self, plain: bool) -> Program:
        """Return the program that starts the server, with placeholders."""
        folder, uv = f"/ABSOLUTE/PATH/TO/{self._server.name}", self._client.uv
        if not plain:
            return project_program(self._server.name, folder, uv)
        python = uv.removesuffix("uv") + "python3"
        return file_program(folder, f"{folder}/{self._server.name}.pyz", python)


def snippets(server: Server, clients: Iterable[Client]) -> tuple[Snippet, ...]:
    """Return a snippet for each client and transport that the client can use, in order."""
    return tuple(
        Snippet(server, client, transport)
        for client in clients
        for transport in server.transports
        if transport not in client.without
    )
