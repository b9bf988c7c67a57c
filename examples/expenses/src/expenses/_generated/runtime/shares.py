"""Shares: how many calls each client may have at work, and begin in a minute."""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from itertools import islice
from typing import Any

from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import TokenVerifier
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from .command import above_zero
from .http import Http

MINUTE = 60


@dataclass
class Share:
    """What a client has left. It grows back, to no more than that of a minute."""

    left: float
    seen: float
    at_work: int = 0


@dataclass(eq=False)
class SharedHttp(Http):
    """The transport, with a share for each client.

    A client is the user of a token, or else an address. A call is a POST: what is in it
    would have to be read first.
    """

    _: KW_ONLY
    calls: int = 64
    calls_per_minute: int = 1200
    shares: dict[str, Share] = field(default_factory=dict[str, Share], init=False)
    """By client, the one that was seen last at the end."""

    def add_options(self, add: Callable[..., None]) -> None:
        super().add_options(add)
        add(
            "--client-calls",
            default=self.calls,
            type=above_zero,
            help="calls of one client that run at once",
        )
        add(
            "--client-calls-per-minute",
            default=self.calls_per_minute,
            type=above_zero,
            help="calls that one client begins in a minute",
        )

    def app(
        self, options: argparse.Namespace, verifier: TokenVerifier | None = None
    ) -> Starlette:
        self.calls = options.client_calls
        self.calls_per_minute = options.client_calls_per_minute
        app = super().app(options, verifier)
        if not verifier:
            app.add_middleware(self.before)
        return app

    def __post_init__(self) -> None:
        guard = self.guard

        def guarded(
            app: ASGIApp, verifier: TokenVerifier, server: Server[Any]
        ) -> ASGIApp:
            return guard(self.before(app), verifier, server)

        self.guard = guarded

    def before(self, app: ASGIApp) -> ASGIApp:
        """Return the app for calls that are within the share of their client."""

        async def shared(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("method") != "POST":
                return await app(scope, receive, send)
            share = self.share_of(client_of(scope))
            if share.at_work >= self.calls or share.left < 1:
                pause = (1 - share.left) * MINUTE / self.calls_per_minute
                later = {"Retry-After": str(max(1, math.ceil(pause)))}
                refusal = JSONResponse({"status": "too many calls"}, 429, later)
                return await refusal(scope, receive, send)
            share.left -= 1
            share.at_work += 1
            try:
                await app(scope, receive, send)
            finally:
                share.at_work -= 1

        return shared

    def share_of(self, client: str) -> Share:
        """Return the share of a client, and forget others that are whole again."""
        now = time.monotonic()
        share = self.shares.pop(client, None) or Share(self.calls_per_minute, now)
        grown = share.left + (now - share.seen) * self.calls_per_minute / MINUTE
        share.left, share.seen = min(self.calls_per_minute, grown), now
        for name in [*islice(self.shares, 2)]:  # More than come, so none piles up.
            other = self.shares[name]
            if other.at_work:
                self.shares[name] = self.shares.pop(name)
            elif now - other.seen > MINUTE:
                del self.shares[name]
        self.shares[client] = share
        return share


def client_of(scope: Scope) -> str:
    """Return the user of a request's token, or else the address that it came from."""
    user = scope.get("user")
    subject = user.access_token.subject if isinstance(user, AuthenticatedUser) else None
    return f"user {subject}" if subject else f"at {(scope['client'] or [''])[0]}"
