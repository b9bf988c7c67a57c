# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The transports over HTTP: streamable-http, sse."""

import argparse
import hmac
import logging
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass

from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import PARSE_ERROR
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from blog_search._generated.limits import Limits
from blog_search._generated.listener import Listener
from blog_search._generated.server import create_server
from blog_search._generated.sessions import Sessions
from blog_search._generated.weblog import WebLog
from blog_search.lifespan import Shared, lifespan

LIMITS = Limits.from_environment()
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


async def serve(options: argparse.Namespace) -> int:
    """Serve until a signal stops the server; return the exit code of the process."""
    token = required_token(options)
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    server = create_server()
    create_app = create_sse_app if options.transport == "sse" else create_http_app
    app = create_app(server, security)
    if token:
        app.add_middleware(BearerToken, token=token)
    app.add_middleware(LowerCaseHosts)
    listener = Listener(app, options.host, options.port)
    server.middleware.append(listener.answer)
    for handler in logging.getLogger().handlers:
        handler.addFilter(WebLog())
    return await listener.run_app()


def required_token(options: argparse.Namespace) -> str:
    """Return the token that clients need, if any; exit if one is missing or cannot be sent."""
    token = os.environ.get("BLOG_SEARCH_TOKEN", "")
    if token.strip() != token or not (token.isascii() and token.isprintable()):
        sys.exit(
            "blog-search: no client could send BLOG_SEARCH_TOKEN: it must be"
            " ASCII on one line, without spaces around it"
        )
    if not (token or options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"blog-search: others can reach a server at {options.host}:"
            " set BLOG_SEARCH_TOKEN, or pass --allow-unauthenticated"
        )
    return token


def allowing(hosts: list[str]) -> TransportSecuritySettings:
    """Return settings that refuse requests for other hosts or from other sites' pages.

    Without this a web page could reach the server through a DNS name of its own
    that resolves to this machine (MCP basic/transports, security warning).
    """
    names = [f"[{host}]" if ":" in host else host for host in map(str.lower, hosts)]
    origins = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


class LowerCaseHosts:
    """Middleware that lowercases host names, which the SDK compares case-sensitively."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["headers"] = [
                (name, value.lower() if name in (b"host", b"origin") else value)
                for name, value in scope["headers"]
            ]
        await self.app(scope, receive, send)


def create_http_app(
    server: Server[Shared], security: TransportSecuritySettings
) -> Starlette:
    """Return an app that serves `/mcp`, for clients of either protocol era."""
    server.middleware.append(refuse_half_characters)
    app = server.streamable_http_app(
        transport_security=security,
        max_request_body_size=LIMITS.message_size,
        session_idle_timeout=LIMITS.idle_time,
        max_sessions=None,  # `Sessions` makes room instead.
    )
    app.add_middleware(Sessions, most=LIMITS.sessions, idle_time=LIMITS.idle_time)
    return app


async def refuse_half_characters(
    ctx: ServerRequestContext[Shared], call_next: CallNext
) -> HandlerResult:
    """Refuse JSON with text that is not Unicode, which the SDK accepts since 2026-07-28."""
    body = await ctx.request.body() if ctx.request else b""
    # Only a body that has one of these can be wrong; others are not parsed again.
    if b"\\ud" in body or b"\\uD" in body or b"\xed" in body or b"\0" in body:
        try:
            from_json(body)
        except ValueError:
            raise MCPError(PARSE_ERROR, "Parse error") from None
    return await call_next(ctx)


def create_sse_app(
    server: Server[Shared], security: TransportSecuritySettings
) -> Starlette:
    """Return an app that serves `/sse`, for clients from before 2025-03-26."""
    transport = SseServerTransport("/messages/", security, LIMITS.message_size)

    @asynccontextmanager
    async def opened(_: Starlette) -> AsyncGenerator[None]:
        # Opened once: the SDK would open it for each connection.
        async with lifespan() as shared:

            def lend(_: object) -> nullcontext[Shared]:
                return nullcontext(shared)

            server.lifespan = lend
            yield

    return Starlette(
        routes=[
            Route("/sse", SseEndpoint(server, transport), methods=["GET"]),
            Mount("/messages/", transport.handle_post_message),
        ],
        lifespan=opened,
    )


@dataclass(frozen=True)
class SseEndpoint:
    """Serves each GET as a client of its own, on the stream of its response."""

    server: Server[Shared]
    transport: SseServerTransport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as stack:
            connection = self.transport.connect_sse(scope, receive, send)
            try:
                read, write = await stack.enter_async_context(connection)
            except ValueError:
                return  # A wrong host or origin: the transport has refused it.
            options = self.server.create_initialization_options()
            await self.server.run(read, write, options)


class BearerToken:
    """Middleware that requires the bearer token (RFC 6750), except for `/health`."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != "/health":
            given = Headers(scope=scope).get("authorization", "")
            scheme, _, token = given.partition(" ")
            right = hmac.compare_digest(token.lstrip(" ").encode(), self.token)
            if scheme.lower() != "bearer" or not right:
                challenge = {"WWW-Authenticate": "Bearer"}
                refusal = PlainTextResponse("Unauthorized", 401, challenge)
                return await refusal(scope, receive, send)
        await self.app(scope, receive, send)
