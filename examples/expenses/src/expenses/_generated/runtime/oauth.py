"""OAuth 2.1: the server as a resource server, and what requests must show to it."""

import os
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from mcp.server import Server
from mcp.server.auth.middleware import auth_context
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.routes import cors_middleware
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .command import SettingsError
from .handlers import Request

# What a refused call needs, for the guard of its request to tell.
refused: ContextVar[list[str]] = ContextVar("refused")


class IssuerUnavailable(Exception):
    """The issuer gives no keys, so nobody knows whether a token is valid."""


@dataclass(frozen=True)
class OAuth:
    """What the spec says about tokens, and how a server over HTTP keeps to it."""

    issuer: str
    resource: str
    """Variable with the URL of the server, as users give it to clients."""
    audience: str = ""
    jwks: str = ""
    scopes: Sequence[str] = ()
    """What all requests need."""
    tools: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """What calls of a tool need besides."""
    lists_allowed: bool = False
    """Whether clients see no tool whose scopes their token lacks."""

    @property
    def url(self) -> str:
        """The URL of the server. Raises SettingsError."""
        url = os.environ.get(self.resource, "").strip()
        if not (url.startswith(("https://", "http://")) and url.isascii()):
            example = "such as https://mcp.example.org/mcp"
            raise SettingsError(f"{self.resource} must be the server's URL, {example}")
        return url

    @property
    def known(self) -> list[str]:
        """All scopes that a request can need."""
        return [*dict.fromkeys(chain(self.scopes, *self.tools.values()))]

    def verifier(self) -> TokenVerifier:
        """Return what checks tokens with the keys of the issuer."""
        from .issuer import Issuer  # Over stdio, nobody waits for its libraries.

        return Issuer(self.issuer, self.audience or self.url, self.jwks)

    def guard(
        self, app: ASGIApp, verifier: TokenVerifier, server: Server[Any]
    ) -> ASGIApp:
        """Return the app for those with a token; others learn where to get one."""
        server.middleware.append(self.check)
        if self.lists_allowed:
            server.middleware.insert(0, self.narrow)  # Lists are whole by then.
        url = urlsplit(self.url)
        path = f"/.well-known/oauth-protected-resource{url.path.rstrip('/')}"
        guard = Guard(app, verifier, self, f"{url.scheme}://{url.netloc}{path}")
        describe = cors_middleware(self.describe, ["GET", "OPTIONS"])
        return Router([Route(path, describe), Mount("/", guard)])

    async def describe(self, _: object) -> JSONResponse:
        """Answer with the metadata (RFC 9728); its URLs must be as users write them."""
        about = {"resource": self.url, "authorization_servers": [self.issuer]}
        scopes = {"scopes_supported": self.known} if self.known else {}
        return JSONResponse(about | scopes)

    async def check(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware that refuses what is about a tool if the token lacks its scopes."""
        token = auth_context.get_access_token()
        needed = {*self.tools.get(tool_of(ctx), ())}
        if not needed <= {*(token.scopes if token else ())}:
            refused.get([]).extend(sorted({*self.scopes} | needed))
            raise MCPError(INVALID_REQUEST, "The token lacks a scope of this tool")
        return await call_next(ctx)

    async def narrow(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware that lists the tools for which the token has the scopes."""
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):
            token = auth_context.get_access_token()
            held = {*(token.scopes if token else ())}
            result["tools"] = [
                tool
                for tool in result["tools"]
                if held.issuperset(self.tools.get(tool["name"], ()))
            ]
            if "cacheScope" in result:  # Since 2026-07-28.
                result["cacheScope"] = "private"
        return result


def tool_of(ctx: Request) -> str:
    """Return the tool that a request calls, or whose task it is about, if there is one."""
    match ctx.method, ctx.params:
        case "tools/call", {"name": str(name)}:
            return name
        case _, {"taskId": id}:
            return str(id).rpartition(".")[0]
        case _:
            return ""


@dataclass(frozen=True)
class Guard:
    """Lets requests with a token pass, and tells others what to ask for (RFC 6750)."""

    app: ASGIApp
    verifier: TokenVerifier
    oauth: OAuth
    metadata: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            return await self.refusal(401)(scope, receive, send)
        try:
            access = await self.verifier.verify_token(token.strip())
        except IssuerUnavailable:
            later = Response(None, 503, {"Retry-After": "10"})
            return await later(scope, receive, send)
        if not access or (access.expires_at and access.expires_at < time.time()):
            return await self.refusal(401, "invalid_token")(scope, receive, send)
        if not {*self.oauth.scopes} <= {*access.scopes}:
            return await self.refusal(403, "insufficient_scope")(scope, receive, send)
        scope["user"] = AuthenticatedUser(access)
        app: ASGIApp = auth_context.AuthContextMiddleware(self.app)
        if scope.get("method") != "POST" or {*self.oauth.known} <= {*access.scopes}:
            return await app(scope, receive, send)
        missing, held = list[str](), list[Message]()
        refused.set(missing)

        async def answer(message: Message) -> None:
            """Send a message, but a status with its body: its call may still be refused."""
            held.append(message)
            if message["type"] != "http.response.start" and not missing:
                while held:
                    await send(held.pop(0))

        await app(scope, receive, answer)
        if missing:
            refusal = self.refusal(403, "insufficient_scope", missing)
            await refusal(scope, receive, send)

    def refusal(
        self, status: int, error: str = "", scopes: Sequence[str] = ()
    ) -> Response:
        says = {"error": error, "scope": " ".join(scopes or self.oauth.scopes)}
        says["resource_metadata"] = self.metadata
        challenge = ", ".join(f'{key}="{text}"' for key, text in says.items() if text)
        return Response(None, status, {"WWW-Authenticate": f"Bearer {challenge}"})
