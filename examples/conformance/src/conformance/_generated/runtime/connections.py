"""Connections of clients from before 2026-07-28: their subscriptions and log levels."""

import weakref
from dataclasses import dataclass, field

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, LoggingLevel

from .handlers import Request


@dataclass
class Connection:
    """The log level and the resources that one client has asked for."""

    log_level: LoggingLevel = "info"
    subscriptions: set[str] = field(default_factory=set[str])
    is_followed: bool = False


# By the id of the client's parameters, which have no hash, and are the same object in
# each request of a connection.
CONNECTIONS: dict[int, Connection] = {}


def connection_of(request: Request) -> Connection:
    """Return the connection of a request, which is forgotten when the client leaves."""
    client = request.session.client_params
    if client is None:
        raise MCPError(INVALID_REQUEST, "Initialize first")
    if id(client) not in CONNECTIONS:
        CONNECTIONS[id(client)] = Connection()
        weakref.finalize(client, CONNECTIONS.pop, id(client), None)
    return CONNECTIONS[id(client)]
