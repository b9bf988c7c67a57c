"""The HTTP server: an ASGI app with `/mcp`, and what is mounted beside it."""

import argparse
import gc
import logging
import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import (
    BearerAuthBackend,
    RequireAuthMiddleware,
)
from mcp.server.auth.provider import TokenVerifier
from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from mcp.server.transport_security import (
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from .command import SettingsError
from .listener import Gate, Listener, require_port
from .proxy import BehindProxy, addresses, path_prefix

logger = logging.getLogger(__name__)

LOCAL = ("127.0.0.1", "localhost", "::1")
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
HOST = re.compile(r"([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]+)?", re.IGNORECASE)

Routes = Callable[[Server[Any], int], list[BaseRoute]]
Guard = Callable[[ASGIApp, TokenVerifier, Server[Any]], ASGIApp]
Limit = Callable[[ASGIApp, argparse.Namespace], ASGIApp]


def any_token(app: ASGIApp, verifier: TokenVerifier, _: Server[Any]) -> ASGIApp:
    """Return the app for requests with a token that is valid, whatever it grants."""
    app = RequireAuthMiddleware(AuthContextMiddleware(app), [])
    return AuthenticationMiddleware(app, BearerAuthBackend(verifier))


@dataclass(eq=False)
class Http:
    """The transport; `load` imports the handlers and returns the server.

    `verifier` returns what checks tokens, or None if all may call, and `guard` the app
    for those with a token. `limit` returns the app for clients within what the options
    let each of them use. `beside` are routes for which the same holds as for `/mcp`,
    such as those of SSE. `stateless` is the default of the option. `at_stop` ends the
    subscriptions of clients. A subclass may override `routes` to serve more without a
    token.
    """

    load: Callable[[argparse.Namespace], Server[Any]]
    _: KW_ONLY
    host: str = "127.0.0.1"
    port: int = 8000
    streamable: bool = True
    stateless: bool = False
    verifier: Callable[[], TokenVerifier | None] = lambda: None
    guard: Guard = any_token
    limit: Limit = lambda app, _: app
    beside: Routes | None = None
    at_stop: Callable[[], None] = lambda: None
    gate: Gate = field(default_factory=Gate, init=False)

    def add_options(self, add: Callable[..., None]) -> None:
        add("--host", default=self.host, help="the address to listen on")
        add("--port", default=self.port, type=port_number, help="the port to listen on")
        add("--allowed-hosts", default="", help="other names of this server: a,b")
        about = "the path that a proxy has for this server: /tools"
        add("--root-path", default="", type=path_prefix, help=about)
        about = "addresses of proxies whose X-Forwarded headers count: a,b, or *"
        add("--forwarded-allow-ips", default="127.0.0.1", type=addresses, help=about)
        flag = {"type": boolean, "nargs": "?", "const": True, "default": False}
        add(
            "--allow-unauthenticated",
            **flag,
            help="listen on other addresses than this machine's without a token",
        )
        add(
            "--stateless",
            **flag | {"default": self.stateless},
            help="no sessions: any replica serves any request of clients up to 2025-11-25",
        )

    def routes(self) -> list[BaseRoute]:
        """Return what is served without a token."""
        ready = [Route(path, self.gate.ready) for path in ("/health", "/readyz")]
        return [*ready, Route("/livez", self.gate.alive)]

    def security(self, options: argparse.Namespace) -> TransportSecuritySettings:
        """Return whose requests are served, by host and by origin of a page."""
        hint = "each host by its name alone, such as mcp.example.org or [2001:db8::1]"
        names = names_in("--allowed-hosts", options.allowed_hosts, HOST, hint)
        hosts = [  # With brackets around IPv6, as in URLs.
            f"[{name}]" if name.count(":") > 1 and name[0] != "[" else name
            for name in map(str.lower, [*LOCAL, options.host, *names])
        ]
        hosts += [f"{host}:*" for host in hosts]
        origins = [
            f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")
        ]
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)

    def middleware(self, options: argparse.Namespace) -> list[Middleware]:
        """Return what a subclass puts before all routes."""
        return []

    def app(
        self, options: argparse.Namespace, verifier: TokenVerifier | None = None
    ) -> Router:
        """Return the ASGI app, for `serve` or for any other server to run."""
        security = self.security(options)
        server = self.load(options)
        server.middleware.append(self.gate.counted)
        manager = StreamableHTTPSessionManager(
            server,
            stateless=options.stateless,
            max_request_body_size=options.message_size,
        )
        routes: list[BaseRoute] = []
        if self.streamable:
            endpoint = StreamableHTTPASGIApp(manager)
            routes += [Route(path, endpoint) for path in ("/mcp", "/mcp/")]
        if self.beside:
            routes += self.beside(server, options.message_size)

        # A redirect would go to `http://` behind a proxy that ends TLS.
        app = self.limit(Router(routes, redirect_slashes=False), options)
        app = only_allowed(app, security)
        if verifier:
            app = self.guard(app, verifier, server)
        return Router(
            self.routes(),
            redirect_slashes=False,
            default=self.gate.before(app),
            lifespan=lambda _: manager.run(),  # Of the server, once for all clients.
            middleware=self.middleware(options),
        )

    async def serve(self, options: argparse.Namespace) -> None:
        """Serve until a signal stops the server."""
        host, verifier = options.host, self.verifier()
        if not (verifier or host in LOCAL or options.allow_unauthenticated):
            raise SettingsError(
                f"others can reach a server at {host}:"
                " require a token, or pass --allow-unauthenticated"
            )
        await require_port(host, options.port)
        app = self.app(options, verifier)
        config = uvicorn.Config(
            BehindProxy(app, options.root_path, options.forwarded_allow_ips),
            host,
            options.port,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        listener = Listener(config)
        listener.drain_at_signals(self.gate, options.grace_time, self.at_stop)
        # Opened before the port is, and by us: its errors reach the user as they are.
        async with app.lifespan_context(app):
            gc.freeze()  # No collection looks through all that the server consists of.
            gc.set_threshold(3_000)  # A request leaves more cycles than one over stdio.
            if self.gate.status == "ok":
                await listener.serve()


def only_allowed(app: ASGIApp, security: TransportSecuritySettings) -> ASGIApp:
    """Return the app for requests to allowed hosts, from no page or an allowed one.

    Hosts have no case (RFC 9110, 4.2.3).
    """
    check = TransportSecurityMiddleware(security)

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (name, value.lower() if name == b"host" else value)
            for name, value in scope["headers"]
        ]
        request = Request({**scope, "headers": headers})
        refusal = await check.validate_request(request)
        if refusal is None:
            return await app(request.scope, receive, send)
        if refusal.status_code == 421:
            host = request.headers.get("host")
            logger.warning("refused a request: %r is not in --allowed-hosts", host)
        await refusal(scope, receive, send)

    return checked


def boolean(text: str) -> bool:
    return (YES + NO).index(text.lower()) < len(YES)


def port_number(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def names_in(option: str, text: str, form: re.Pattern[str], hint: str) -> list[str]:
    """Return the names in an option. Raises SettingsError for what no request can have."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if not form.fullmatch(name):
            raise SettingsError(f"{option} cannot have {name!r}: write {hint}")
    return names
