# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What clients from before 2026-07-28 have asked for, each for its whole connection."""

import weakref
from dataclasses import dataclass
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, LoggingLevel
from mcp_types.version import MODERN_PROTOCOL_VERSIONS


@dataclass
class Connection:
    """What one client wants to hear of."""

    log_level: LoggingLevel = "info"


CONNECTIONS: dict[int, Connection] = {}


def connection_of(request: ServerRequestContext[Any]) -> Connection:
    """The connection of a request, forgotten when the client leaves."""
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
    """Refuse a second handshake, with which the connection would begin anew."""
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    if ctx.method == "initialize" and ctx.session.client_params and not is_modern:
        raise MCPError(INVALID_REQUEST, "Initialized already")
    return await call_next(ctx)
