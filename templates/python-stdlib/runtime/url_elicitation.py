"""Pages that the user opens: the way to ask for a secret, which no client may see."""

from __future__ import annotations

import secrets
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import urlsplit

from .protocol import Json
from .questions import AskingContext, Shared

Action: TypeAlias = Literal["accept", "decline", "cancel"]
LOCAL = ("127.0.0.1", "localhost", "::1")


class UrlElicitingContext(AskingContext[Shared]):
    async def elicit_url(self, message: str, url: str, name: str = "url") -> Action:
        """Ask the user to open a page, and return what the user chose.

        `accept` says that the page is opened, not that the user is done there. It must check that
        its user is the one of this call, and its URL must not hold any of their data. A question
        needs a name if there are several. (MCP, client/elicitation)
        """
        parts = urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in LOCAL:
            raise ValueError("a page that takes secrets needs a URL with https")
        params: Json = {"mode": "url", "message": message, "url": url}
        if not self.request.is_modern:
            params["elicitationId"] = secrets.token_urlsafe(16)
        answer = await self.ask("elicitation.url", "elicitation/create", params, name)
        if (action := answer.get("action")) not in get_args(Action):
            raise self.wrong(f"The answer does not fit: {name}")
        return cast(Action, action)

    async def elicited_url(self, name: str = "url") -> None:
        """Tell a client of MCP 2025-11-25 that the user is done; later ones call again."""
        if id := self.asked[name]["params"].get("elicitationId"):
            about = {"elicitationId": id}
            self.request.server.notify("notifications/elicitation/complete", about)
