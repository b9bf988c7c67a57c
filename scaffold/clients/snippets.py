"""Render configuration snippets for each client and transport."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from scaffold.base.files import RelPath
from scaffold.clients.client import Client
from scaffold.clients.entry import document, entry
from scaffold.clients.formats import SUFFIXES, written
from scaffold.clients.links import links
from scaffold.clients.server import Program, Server, file_program, project_program


class Snippet(Struct, frozen=True):
    """The configuration to merge into one of `client.files` to reach the server.

    `path` is relative to the snippets folder: `ID.json` for the server's default transport,
    `ID.TRANSPORT.json` for others. A `bridged` snippet starts `npx mcp-remote`, which needs
    Node.js. Placeholders are in capitals: `/ABSOLUTE/PATH/TO/…`, `PASTE_…_HERE`.
    """

    server: Server
    client: Client
    transport: str

    @property
    def path(self) -> RelPath:
        """Its path in the snippets folder."""
        default = self.transport == self.server.transports[0]
        suffix = "" if default else f".{self.transport}"
        return RelPath(f"{self.client.id}{suffix}.{SUFFIXES[self.client.format]}")

    @property
    def bridged(self) -> bool:
        """Whether it starts a bridge."""
        return self.transport not in self.client.entry

    @property
    def prompts(self) -> bool:
        """Whether the client prompts for values."""
        return bool(entry(self.server, self.client, self.transport, self._program(False)).inputs)

    def text(self, plain: bool = False) -> str:
        """Return the configuration for a project, or a `plain` one for a server in one file."""
        found = entry(self.server, self.client, self.transport, self._program(plain))
        return written(document(self.client, self.server.name, found), self.client.format)

    def links(self, plain: bool = False) -> tuple[tuple[str, str], ...]:
        """Return links that add the server to the client, as pairs of label and URL."""
        return links(self.server, self.client, self.transport, self._program(plain))

    def _program(self, plain: bool) -> Program:
        """Return the program that starts the server, with placeholders."""
        folder, uv = f"/ABSOLUTE/PATH/TO/{self.server.name}", self.client.uv
        if not plain:
            return project_program(self.server.name, folder, uv)
        python = uv.removesuffix("uv") + "python3"
        return file_program(folder, f"{folder}/{self.server.name}.pyz", python)


def snippets(server: Server, clients: Iterable[Client]) -> tuple[Snippet, ...]:
    """Return a snippet for each client and transport that the client can use, in order."""
    return tuple(
        Snippet(server, client, transport)
        for client in clients
        for transport in server.transports
        if transport not in client.without
    )
