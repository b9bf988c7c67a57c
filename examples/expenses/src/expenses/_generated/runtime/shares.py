"""Shares: how many calls each client may have at work, and begin in a minute."""

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from .command import above_zero

MINUTE = 60


@dataclass(eq=False)
class Shares:
    """What each client has used of its share, which grows back within a minute.

    A client is the user of a token, or else an address. A call is a POST: what is in it
    would have to be read first.
    """

    calls: int = 64
    calls_per_minute: int = 1200
    at_work: Counter[str] = field(default_factory=Counter[str], init=False)
    whole_at: dict[str, float] = field(default_factory=dict[str, float], init=False)
    """When the share of a client is whole again. Who called last is at the end."""

    def add_options(self, add: Callable[..., None]) -> None:
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

    def before(self, app: ASGIApp, options: argparse.Namespace) -> ASGIApp:
        """Return the app for calls that are within the share of their client."""

        async def shared(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] != "POST":
                return await app(scope, receive, send)
            client, now = client_of(scope), time.monotonic()
            whole_at = max(now, self.whole_at.get(client, now))
            whole_at += MINUTE / options.client_calls_per_minute
            pause = whole_at - now - MINUTE
            if pause > 0 or self.at_work[client] >= options.client_calls:
                later = {"Retry-After": str(max(1, math.ceil(pause)))}
                refusal = JSONResponse({"status": "too many calls"}, 429, later)
                return await refusal(scope, receive, send)
            self.whole_at.pop(client, None)
            self.whole_at[client] = whole_at
            for other in [*islice(self.whole_at, 2)]:  # More than come: none piles up.
                if self.whole_at[other] < now:
                    del self.whole_at[other]
            self.at_work[client] += 1
            try:
                await app(scope, receive, send)
            finally:
                self.at_work[client] -= 1
                if not self.at_work[client]:
                    del self.at_work[client]

        return shared


def client_of(scope: Scope) -> str:
    """Return the user of a request's token, or else the address that it came from."""
    user = scope.get("user")
    subject = user.access_token.subject if isinstance(user, AuthenticatedUser) else None
    return f"user {subject}" if subject else f"at {(scope['client'] or [''])[0]}"
