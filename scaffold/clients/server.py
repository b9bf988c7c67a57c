"""MCP servers, with the data that clients need to start or reach them."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote

from msgspec import Struct

ENDPOINTS = {"streamable-http": "/mcp", "sse": "/sse"}


class Variable(Struct, frozen=True):
    """An environment variable that the server reads."""

    name: str
    description: str
    default: str | None
    secret: bool
    required: bool

    @property
    def kind(self) -> str:
        """How clients give its value: `required`, `secret` (optional), `default` or `optional`."""
        if self.required:
            return "required"
        if self.secret:
            return "secret"
        return "optional" if self.default is None else "default"


class Server(Struct, frozen=True):
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
    description: str = ""

    def url(self, transport: str) -> str:
        """Return its address on its own machine; invalid host names are escaped."""
        host = quote(self.host, safe="")
        try:
            address = ip_address(self.host)
        except ValueError:
            pass
        else:
            loopback = "::1" if address.version == 6 else "127.0.0.1"
            host = loopback if address.is_unspecified else str(address)
            host = f"[{host}]" if address.version == 6 else host
        return f"http://{host}:{self.port}{ENDPOINTS[transport]}"

    def variables(self, transport: str) -> tuple[Variable, ...]:
        """Return the variables whose values the client gives.

        Over HTTP, this is the bearer token. Over stdio, it is all others: the token is only among
        them if the server does not start without it.
        """
        if transport == "stdio":
            return tuple(v for v in self.env if v.required or v.name != self.bearer_env)
        if self.bearer_env is None:
            return ()
        declared = {v.name: v.description for v in self.env}
        description = declared.get(self.bearer_env, f"Token for {self.title or self.name}")
        return (Variable(self.bearer_env, description, default=None, secret=True, required=True),)


class Program(NamedTuple):
    """How a client starts a server: the command with its arguments, and the project's folder."""

    command: tuple[str, ...]
    folder: str
