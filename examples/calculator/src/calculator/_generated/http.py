# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Clients that come over HTTP: streamable-http."""

import argparse
import asyncio
import logging
import sys
from socket import socket

import anyio
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from calculator._generated.server import create_server
from calculator.lifespan import Shared

THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


async def serve(options: argparse.Namespace) -> None:
    """Listen until a signal says stop."""
    if not (options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"calculator: others can reach a server at {options.host}:"
            " declare `auth` in mcp.yaml, or pass --allow-unauthenticated"
        )
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    server = create_server()
    app = create_http_app(server, security)
    config = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        log_config=None,
        timeout_graceful_shutdown=0,
    )
    for name in ("uvicorn.error", "mcp.server.streamable_http"):
        logging.getLogger(name).addFilter(is_worth_telling)
    listener = Listener(config)
    server.middleware.append(listener.answer)
    await listener.serve()


class Listener(uvicorn.Server):
    """Answers the requests in flight before it closes their connections."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.in_flight: set[anyio.CancelScope] = set()

    async def answer(
        self, ctx: ServerRequestContext[Shared], call_next: CallNext
    ) -> HandlerResult:
        with anyio.CancelScope() as scope:
            self.in_flight.add(scope)
            try:
                return await call_next(ctx)
            finally:
                self.in_flight.remove(scope)
        raise MCPError(CONNECTION_CLOSED, "The server has been stopped")

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for scope in self.in_flight:
            scope.cancel()
        await super().shutdown(sockets)


def is_worth_telling(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about more than a connection that one side cut off."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError | ClientDisconnect)


def allowing(hosts: list[str]) -> TransportSecuritySettings:
    """Refuse requests that name another host or come from another site's page.

    Without this a web page could reach the server through a DNS name of its own
    that resolves to this machine (MCP basic/transports, security warning).
    """
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    origins = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


async def health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


def create_http_app(
    server: Server[Shared], security: TransportSecuritySettings
) -> Starlette:
    """`/mcp` for clients of either protocol era, and `/health`."""
    return server.streamable_http_app(
        transport_security=security, custom_starlette_routes=[Route("/health", health)]
    )
