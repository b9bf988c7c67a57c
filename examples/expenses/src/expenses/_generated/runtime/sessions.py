"""The sessions of clients up to 2025-11-25, many of which leave without ending theirs."""

import logging
from typing import Any

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

# Those with a request at work may come on top.
MAX_SESSIONS = 1000


class Sessions:
    """An app that ends the longest idle session when there are too many."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.users: dict[str, Any] = {}
        """Whose each session is, the last used one at the end."""
        self.at_work: list[str | None] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            is_start = message["type"] == "http.response.start"
            headers = Headers(raw=message["headers"] if is_start else [])
            id = headers.get(MCP_SESSION_ID_HEADER)
            if id and message["status"] < 400:
                user = self.users.pop(id, scope.get("user"))
                if scope["method"] != "DELETE":
                    self.users[id] = user
            await send(message)

        id = Headers(scope=scope).get(MCP_SESSION_ID_HEADER)
        self.at_work.append(id)
        try:
            await self.app(scope, receive, sent)
        finally:
            self.at_work.remove(id)
        if len(self.users) > MAX_SESSIONS:
            await self.end_idle()

    async def end_idle(self) -> None:
        """End a session as its client would: the SDK has no other way."""
        id = next((id for id in self.users if id not in self.at_work), None)
        if id is None:
            return
        logger.info("too many sessions: ended the longest idle (see --stateless)")
        session = MCP_SESSION_ID_HEADER.encode(), id.encode()
        headers = [(b"host", b"localhost"), session]
        scope = {"type": "http", "method": "DELETE", "headers": headers}
        await self.app({**scope, "user": self.users.pop(id)}, no_body, ignore)


async def no_body() -> Message:
    return {"type": "http.request"}


async def ignore(message: Message) -> None:
    pass
