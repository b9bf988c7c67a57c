# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The state of connections, which clients from before 2026-07-28 have."""

import weakref
from dataclasses import dataclass, field
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, LoggingLevel
from mcp_types.version import MODERN_PROTOCOL_VERSIONS


@dataclass
class Connection:
    """What a client has asked for, as long as it is connected."""

    log_level: LoggingLevel = "info"
    subscriptions: set[str] = field(default_factory=set[str])
    is_followed: bool = False


# By the id of the client's parameters, which have no hash.
CONNECTIONS: dict[int, Connection] = {}


def connection_of(request: ServerRequestContext[Any]) -> Connection:
    """Return the connection of a request, which is forgotten when the client leaves."""
    client = request.session.client_params  # The same object on each request.
    if client is None:
        raise MCPError(INVALID_REQUEST, "Initialize first")
    if id(client) not in CONNECTIONS:
        CONNECTIONS[id(client)] = Connection()
        weakref.finalize(client, CONNECTIONS.pop, id(client))
    return CONNECTIONS[id(client)]


async def initialize_once(
    ctx: ServerRequestContext[Any], call_next: CallNext
) -> HandlerResult:
    """Refuse a second handshake, which would start the connection over."""
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    if ctx.method == "initialize" and ctx.session.client_params and not is_modern:
        raise MCPError(INVALID_REQUEST, "Initialized already")
    return await call_next(ctx)
