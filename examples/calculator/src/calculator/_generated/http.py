# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The transports over HTTP: streamable-http."""

import argparse
import logging
import sys

from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import PARSE_ERROR
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from calculator._generated.limits import Limits
from calculator._generated.listener import Listener
from calculator._generated.server import create_server
from calculator._generated.sessions import Sessions
from calculator._generated.weblog import WebLog
from calculator.lifespan import Shared

LIMITS = Limits.from_environment()
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


async def serve(options: argparse.Namespace) -> int:
    """Serve until a signal stops the server; return the exit code of the process."""
    check_host(options)
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    server = create_server()
    app = create_http_app(server, security)
    app.add_middleware(LowerCaseHosts)
    listener = Listener(app, options.host, options.port)
    server.middleware.append(listener.answer)
    for handler in logging.getLogger().handlers:
        handler.addFilter(WebLog())
    return await listener.run_app()


def check_host(options: argparse.Namespace) -> None:
    """Exit if other machines can reach the server, and nobody has agreed to that."""
    if not (options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"calculator: others can reach a server at {options.host}:"
            " declare `auth` in mcp.yaml, or pass --allow-unauthenticated"
        )


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
