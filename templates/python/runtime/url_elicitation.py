"""Pages that the user opens: the way to ask for a secret, which no client may see."""

import secrets
from typing import Any, Literal
from urllib.parse import urlsplit

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .handlers import Shared
from .questions import AskingContext

LOCAL = ("127.0.0.1", "localhost", "::1")


class UrlElicitingContext(AskingContext[Shared]):
    """A context that can ask the user to open a page."""

    async def elicit_url(
        self, message: str, url: str, name: str = "url"
    ) -> Literal["accept", "decline", "cancel"]:
        """Ask the user to open a page, and return what the user chose.

        `accept` says that the page is opened, not that the user is done there. It must
        check that its user is the one of this call, and its URL must not hold any of their
        data. A question needs a name if there are several. (MCP, client/elicitation)
        """
        parts = urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in LOCAL:
            raise ValueError("a page that takes secrets needs a URL with https")
        params = types.ElicitRequestURLParams(message=message, url=url)
        if self.request.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            params.elicitation_id = secrets.token_urlsafe(16)
        question = types.ElicitRequest(params=params)
        answer = await self.ask("elicitation.url", name, question, types.ElicitResult)
        return answer.action

    async def elicited_url(self, name: str = "url") -> None:
        """Tell a client of MCP 2025-11-25 that the user is done; later ones call again."""
        params: Any = self.asked[name].params
        if params.elicitation_id:
            session, call = self.request.session, self.request.request_id
            await session.send_elicit_complete(params.elicitation_id, call)
