"""The HTTP server: an ASGI app with `/mcp`, and what is mounted beside it."""

import argparse
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from ipaddress import ip_address
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import (
    BearerAuthBackend,
    RequireAuthMiddleware,
)
from mcp.server.auth.provider import TokenVerifier
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from .command import SettingsError
from .listener import Gate, Listener, Running

LOCAL = ("127.0.0.1", "localhost", "::1")
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
# Of clients that ask who they are, which only those before 2026-07-28 do.
MOST_SESSIONS = 1000

Routes = Callable[[Server[Any], TransportSecuritySettings, int], list[BaseRoute]]
Guard = Callable[[ASGIApp, TokenVerifier, Server[Any]], ASGIApp]


def any_token(app: ASGIApp, verifier: TokenVerifier, _: Server[Any]) -> ASGIApp:
    """Return the app for requests with a token that is valid, whatever it grants."""
    app = RequireAuthMiddleware(AuthContextMiddleware(app), [])
    return AuthenticationMiddleware(app, BearerAuthBackend(verifier))


class Http:
    """The transport; `load` imports the handlers and returns the server.

    `verifier` returns what checks tokens, or None if all may call, and `guard` the app
    for those with a token. `beside` are routes for which the same holds as for `/mcp`,
    such as those of SSE. A subclass may override `routes` to serve more without a token.
    """

    def __init__(
        self,
        load: Callable[[argparse.Namespace], Server[Any]],
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        streamable: bool = True,
        verifier: Callable[[], TokenVerifier | None] = lambda: None,
        guard: Guard = any_token,
        beside: Routes | None = None,
    ) -> None:
        self.load = load
        self.host = host
        self.port = port
        self.streamable = streamable
        self.verifier = verifier
        self.guard = guard
        self.beside = beside
        self.running = Running()
        self.gate = Gate()

    def add_options(self, add: Callable[..., None]) -> None:
        add("--host", default=self.host, help="the address to listen on")
        add("--port", default=self.port, type=port_number, help="the port to listen on")
        add("--allowed-hosts", default="", help="other names of this server: a,b")
        flag = {"type": boolean, "nargs": "?", "const": True, "default": False}
        add(
            "--allow-unauthenticated",
            **flag,
            help="listen on other addresses than this machine's without a token",
        )
        add(
            "--stateless",
            **flag,
            help="no sessions: any replica serves any request of clients up to 2025-11-25",
        )

    def routes(self) -> list[BaseRoute]:
        """Return what is served without a token."""
        return [Route("/health", self.gate.ready), Route("/livez", self.gate.alive)]

    def app(
        self, options: argparse.Namespace, verifier: TokenVerifier | None = None
    ) -> Starlette:
        """Return the ASGI app, for `serve` or for any other server to run."""
        server = self.load(options)
        server.middleware.append(self.running)
        security = only_from([*LOCAL, options.host, *names_in(options.allowed_hosts)])
        inner = server.streamable_http_app(
            transport_security=security,
            max_request_body_size=options.message_size,
            max_sessions=MOST_SESSIONS,
            stateless_http=options.stateless,
        )
        if not self.streamable:
            inner.routes.clear()
        if self.beside:
            inner.routes.extend(self.beside(server, security, options.message_size))
        lifespan = server.lifespan

        @asynccontextmanager
        async def opened(_: Starlette) -> AsyncGenerator[None]:
            async with lifespan(server) as shared:

                def for_all_clients(_: Server[Any]) -> nullcontext[Any]:
                    return nullcontext(shared)

                server.lifespan = for_all_clients
                async with inner.router.lifespan_context(inner):
                    self.gate.open()
                    yield

        app: ASGIApp = inner
        if verifier:
            app = self.guard(app, verifier, server)
        routes = [*self.routes(), Mount("/", self.gate.before(app))]
        return Starlette(routes=routes, lifespan=opened)

    async def serve(self, options: argparse.Namespace) -> None:
        """Serve until a signal stops the server."""
        host, verifier = options.host, self.verifier()
        if not (verifier or host in LOCAL or options.allow_unauthenticated):
            raise SettingsError(
                f"others can reach a server at {host}:"
                " require a token, or pass --allow-unauthenticated"
            )
        app = self.app(options, verifier)
        config = uvicorn.Config(
            app,
            host,
            options.port,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        # Opened here, its errors reach the user as they are, not as uvicorn's.
        lifespan = app.router.lifespan_context(app)
        async with AsyncExitStack() as stack:
            await Listener(
                config,
                lambda: stack.enter_async_context(lifespan),
                self.gate,
                self.running,
                options.grace_time,
            ).serve()


def boolean(text: str) -> bool:
    return (YES + NO).index(text.lower()) < len(YES)


def port_number(text: str) -> int:
    if not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def names_in(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def only_from(names: Iterable[str]) -> TransportSecuritySettings:
    """Return settings that refuse requests for other hosts, or from other sites' pages."""
    hosts = [bracketed(name.lower()) for name in names]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[*hosts, *(f"{host}:*" for host in hosts)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


def bracketed(name: str) -> str:
    """Return a host as URLs have it: an IPv6 address in brackets, all else as it is."""
    try:
        return f"[{name}]" if ip_address(name).version == 6 else name
    except ValueError:
        return name  # Such as example.org, or example.org:8443.
