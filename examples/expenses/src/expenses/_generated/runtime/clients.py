"""The client of a call, as handlers see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token

from .handlers import BaseContext, Shared


@dataclass(frozen=True)
class Client:
    """The client of a request over HTTP, as its access token names it."""

    id: str
    subject: str | None
    """The user it acts for, unique within the issuer."""
    scopes: tuple[str, ...]
    claims: Mapping[str, Any] = field(repr=False)
    """All that the token says, such as `email`, `groups` or `tenant`."""


@dataclass(frozen=True)
class ClientContext(BaseContext[Shared]):
    """A context that knows the client."""

    @property
    def client(self) -> Client | None:
        """The client of this request, or None over stdio."""
        token = get_access_token()
        if token is None:
            return None
        claims = MappingProxyType(token.claims or {})
        return Client(token.client_id, token.subject, (*token.scopes,), claims)
