"""Tokens that the server gets for itself: OAuth's client credentials (RFC 6749, 4.4)."""

import asyncio
import json
from collections.abc import AsyncGenerator, Container
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from urllib.parse import quote

from .answers import ApiError, warn
from .api import Api, Credential
from .http_client import HttpClient

SECONDS, MAX_BYTES = 30, 100_000
# Of a token whose server does not say how long it is valid.
USUAL_LIFETIME = 300.0


@dataclass
class ClientCredentials:
    """A source of tokens: it caches one, and renews it after nine tenths of its life."""

    setting: str
    url: str | None
    id: str | None
    secret: str | None = field(repr=False)
    scope: str = ""
    token: str = field(default="", init=False, repr=False)
    renew_at: float = field(default=0, init=False)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False)

    async def valid_token(self, client: HttpClient) -> str:
        """Return a valid token, or nothing if a setting is missing. Raises ApiError."""
        async with self.lock:  # Calls at the same time need one token.
            if self.url and self.id and self.secret and monotonic() >= self.renew_at:
                login = quote(self.id, safe=""), quote(self.secret, safe="")
                await self.renew(client, self.url, login)
            return self.token

    async def renew(self, client: HttpClient, url: str, login: tuple[str, str]) -> None:
        fields = {"grant_type": ["client_credentials"]}
        if self.scope:
            fields["scope"] = [self.scope]
        headers = [("Accept", "application/json")]
        asked_at = monotonic()
        status, body, _, _ = await client.send(
            "POST", url, headers, SECONDS, MAX_BYTES, data=fields, auth=login
        )
        try:
            answer = json.loads(body)
            if status == 200:
                lifetime = float(answer.get("expires_in", USUAL_LIFETIME))
                self.token = str(answer["access_token"])
                self.renew_at = asked_at + lifetime * 0.9
                return
            reason = str(answer["error"])  # One of a few codes, such as invalid_client.
        except (ValueError, TypeError, KeyError, AttributeError):
            reason = "no token"
        about = url.partition("?")[0]
        warn("POST %s: status %d: %s", about, status, reason[:50])
        raise ApiError("The API's authorization server gives no token")


@dataclass(frozen=True, kw_only=True)
class TokenApi(Api):
    """The API, whose requests have the token of a `grant`."""

    grant: ClientCredentials

    async def request(
        self,
        method: str,
        path: str,
        *,
        credentials: Container[str] | None = None,
        **more: Any,
    ) -> bytes:
        """Return what `Api.request` does. Raises ApiError if there is no token."""
        sent, name = self.credentials, self.grant.setting
        if self.is_own(path) and (credentials is None or name in credentials):
            token = await self.grant.valid_token(self.client)
            sent = (*sent, Credential(name, token, "bearer"))
        api = replace(self, credentials=sent)
        return await super(TokenApi, api).request(
            method, path, credentials=credentials, **more
        )


@asynccontextmanager
async def with_tokens(
    opening: AbstractAsyncContextManager[Api], grant: ClientCredentials
) -> AsyncGenerator[Api]:
    """Yield an API whose requests have the token of a grant."""
    async with opening as api:
        yield TokenApi(**vars(api), grant=grant)
