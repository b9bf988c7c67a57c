"""The issuer of access tokens: its public keys tell which are valid (RFC 9068)."""

import asyncio
import json
import logging
import time
from contextlib import suppress
from typing import Any

import httpx2
import jwt
from mcp.server.auth.provider import AccessToken

from .oauth import IssuerUnavailable

logger = logging.getLogger(__name__)

# None is symmetric: nobody may sign with a public key. (PyJWT takes an RSA key for one of
# RS256, unless its `alg` says PS256.)
ALGORITHMS = ("RS256", "PS256", "ES256", "ES384", "EdDSA")
# What tokens say that they are (RFC 9068, 2.1): no logout token, for one, is let in.
TYPES = ("at+jwt", "jwt")
LEEWAY = 60  # Seconds by which clocks may differ.
FRESH = 300  # Seconds until keys are fetched again, for one may have been withdrawn.
PAUSE = 10  # Seconds between two fetches: anybody can send a token with a new key.
PATIENCE = 5  # Seconds that a fetch may take.
MAX_BYTES = 2**20  # In a document of the issuer.


class Issuer:
    """A `TokenVerifier` of the SDK, for the tokens of one issuer.

    (PyJWKClient would read a document of any length, while known keys wait for it.)
    """

    def __init__(self, url: str, audience: str, jwks: str = "") -> None:
        self.url = url
        self.audience = audience
        self.jwks = jwks
        self.keys: dict[str, jwt.PyJWK] = {}
        self.tried = self.fetched = float("-inf")
        self.fetching: asyncio.Task[None] | None = None
        self.tls = httpx2.create_ssl_context()  # It takes a while: not at each fetch.

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what a token grants, or None. Raises IssuerUnavailable."""
        try:
            header = jwt.get_unverified_header(token)
            kind = str(header.get("typ", "jwt")).lower().removeprefix("application/")
            if kind not in TYPES:
                raise ValueError(f"typ is {kind}")
            claims = jwt.decode(
                token,
                await self.key(header.get("kid", "")),
                algorithms=ALGORITHMS,
                audience=self.audience,
                issuer=self.url,
                leeway=LEEWAY,
                options={"require": ["aud", "exp", "iss"]},
            )
            # Not all follow RFC 9068: Keycloak has `azp`, Okta `cid` and `scp`.
            client = claims.get("client_id") or claims.get("azp") or claims.get("cid")
            granted = claims.get("scope") or claims.get("scp") or ""
            return AccessToken(
                token=token,
                client_id=client or claims["sub"],
                scopes=granted.split() if isinstance(granted, str) else granted,
                subject=claims.get("sub"),
                claims=claims,
            )
        except (jwt.PyJWTError, LookupError, ValueError) as error:
            logger.info("token refused: %.200r", error)
            return None

    async def key(self, name: str) -> jwt.PyJWK:
        """Return a key. Only those whose key is unknown wait for the issuer."""
        now, is_known = time.monotonic(), name in self.keys
        if not (is_known and now - self.fetched < FRESH) and now - self.tried > PAUSE:
            self.tried = now
            self.fetching = asyncio.create_task(self.fetch())
            self.fetching.add_done_callback(self.tell)
        if not is_known and self.fetching:
            await asyncio.wait([self.fetching])
        if name not in self.keys and self.fetched < self.tried:
            raise IssuerUnavailable
        return self.keys[name]

    async def fetch(self) -> None:
        """Fetch the keys. Until that succeeds, the earlier ones stay."""
        async with (
            asyncio.timeout(PATIENCE),
            httpx2.AsyncClient(verify=self.tls) as client,
        ):
            url = self.jwks or await self.discovered(client)
            keys = jwt.PyJWKSet.from_dict(await document(client, url)).keys
        self.keys = {key.key_id or "": key for key in keys}
        self.fetched = time.monotonic()

    def tell(self, fetching: asyncio.Task[None]) -> None:
        if not fetching.cancelled() and (error := fetching.exception()):
            logger.warning("no keys from %s: %r", self.url, error)

    async def discovered(self, client: httpx2.AsyncClient) -> str:
        """Return where the keys are (RFC 8414, OpenID Connect Discovery)."""
        issuer = httpx2.URL(self.url)
        path = issuer.path.rstrip("/")
        oauth = f"/.well-known/oauth-authorization-server{path}"
        for place in (oauth, f"{path}/.well-known/openid-configuration"):
            # Some servers have a page for each address.
            with suppress(ValueError, httpx2.HTTPStatusError):
                metadata = await document(client, issuer.copy_with(path=place))
                if metadata.get("issuer") == self.url:
                    return str(metadata["jwks_uri"])
        raise LookupError("no document names it as the issuer")


async def document(client: httpx2.AsyncClient, url: httpx2.URL | str) -> Any:
    """Return the JSON at a URL. Raises ValueError for anything else, or too much of it."""
    body = bytearray()
    async with client.stream("GET", url) as answer:
        answer.raise_for_status()
        async for part in answer.aiter_bytes():
            body += part
            if len(body) > MAX_BYTES:
                raise ValueError(f"{url} has more than {MAX_BYTES} bytes")
    return json.loads(body)
