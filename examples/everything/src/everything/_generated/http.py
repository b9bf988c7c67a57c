# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Clients that come over HTTP: streamable-http, sse."""

import argparse
import asyncio
import hmac
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from socket import socket

import anyio
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from everything._generated.server import create_server
from everything.lifespan import Shared, lifespan

THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


async def serve(options: argparse.Namespace) -> None:
    """Listen until a signal says stop."""
    token = os.environ.get("EVERYTHING_TOKEN")
    if not (token or options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"everything: others can reach a server at {options.host}:"
            " set EVERYTHING_TOKEN, or pass --allow-unauthenticated"
        )
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    server = create_server()
    create_app = create_sse_app if options.transport == "sse" else create_http_app
    app = create_app(server, security)
    if token:
        app.add_middleware(BearerToken, token=token)
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


def create_sse_app(
    server: Server[Shared], security: TransportSecuritySettings
) -> Starlette:
    """`/sse` with `/messages/` for clients from before 2025-03-26, and `/health`."""
    transport = SseServerTransport("/messages/", security)

    @asynccontextmanager
    async def opened(_: Starlette) -> AsyncIterator[None]:
        # Opened once here, since the SDK would open it anew for each connection.
        async with lifespan() as shared:
            server.lifespan = lambda _: nullcontext(shared)
            yield

    return Starlette(
        routes=[
            Route("/sse", SseEndpoint(server, transport)),
            Mount("/messages/", transport.handle_post_message),
            Route("/health", health),
        ],
        lifespan=opened,
    )


@dataclass(frozen=True)
class SseEndpoint:
    """Each GET is a client of its own, served on the stream that answers it."""

    server: Server[Shared]
    transport: SseServerTransport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as stack:
            connection = self.transport.connect_sse(scope, receive, send)
            try:
                read, write = await stack.enter_async_context(connection)
            except ValueError:
                return  # Another host or origin, which has been told so.
            options = self.server.create_initialization_options()
            await self.server.run(read, write, options)


class BearerToken:
    """Lets only requests through that carry the token (RFC 6750), `/health` excepted."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != "/health":
            given = Headers(scope=scope).get("authorization", "")
            scheme, _, token = given.partition(" ")
            right = hmac.compare_digest(token.encode(), self.token)
            if scheme.lower() != "bearer" or not right:
                challenge = {"WWW-Authenticate": "Bearer"}
                refusal = PlainTextResponse("Unauthorized", 401, challenge)
                return await refusal(scope, receive, send)
        await self.app(scope, receive, send)
