# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Clients that come over HTTP: streamable-http, sse."""

import argparse
import hmac
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

import uvicorn
from mcp.server import Server
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from everything._generated.server import create_server
from everything.lifespan import Shared, lifespan

THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


def serve(options: argparse.Namespace) -> None:
    """Listen until a signal says stop."""
    token = os.environ.get("EVERYTHING_TOKEN")
    if not (token or options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"everything: others can reach a server at {options.host}:"
            " set EVERYTHING_TOKEN, or pass --allow-unauthenticated"
        )
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    create_app = create_sse_app if options.transport == "sse" else create_http_app
    app = create_app(security)
    if token:
        app.add_middleware(BearerToken, token=token)
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        log_config=None,
        timeout_graceful_shutdown=0,
    )


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


def create_http_app(security: TransportSecuritySettings) -> Starlette:
    """`/mcp` for clients of either protocol era, and `/health`."""
    return create_server().streamable_http_app(
        transport_security=security, custom_starlette_routes=[Route("/health", health)]
    )


def create_sse_app(security: TransportSecuritySettings) -> Starlette:
    """`/sse` with `/messages/` for clients from before 2025-03-26, and `/health`."""
    server = create_server()
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
        async with self.transport.connect_sse(scope, receive, send) as (read, write):
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
