# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Clients that come over HTTP: streamable-http."""

import argparse
import sys

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from calculator._generated.server import create_server

THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


def serve(options: argparse.Namespace) -> None:
    """Listen until a signal says stop."""
    if not (options.host in THIS_MACHINE or options.allow_unauthenticated):
        sys.exit(
            f"calculator: others can reach a server at {options.host}:"
            " declare `auth` in mcp.yaml, or pass --allow-unauthenticated"
        )
    security = allowing([*THIS_MACHINE, options.host, *options.allowed_host])
    app = create_http_app(security)
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
