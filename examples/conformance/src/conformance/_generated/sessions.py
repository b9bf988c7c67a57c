# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Sessions of clients from before 2026-07-28, of which there may be only so many."""

from collections import Counter
from dataclasses import dataclass, field
from time import monotonic

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SESSION_ID = "mcp-session-id"


@dataclass
class Session:
    """An open session; `answering` has the HTTP methods of its requests in progress."""

    client: str
    answering: list[str] = field(default_factory=list[str])
    used: float = 0

    @property
    def is_busy(self) -> bool:
        """Whether a request other than a GET is in progress, which opens a stream."""
        return any(method != "GET" for method in self.answering)


class Sessions:
    """Middleware that makes room for new sessions, so that no client locks out others.

    At the limit, the client with the most sessions loses the one that it has not used
    for the longest time. It can open another (MCP 2025-11-25, basic/transports).
    """

    def __init__(self, app: ASGIApp, most: int, idle_time: float) -> None:
        self.app = app
        self.most = most
        self.idle_time = idle_time
        self.sessions: dict[str, Session] = {}  # In the order of their last use.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get(SESSION_ID) if scope["type"] == "http" else ""
        if given is None:
            await self.open(scope, receive, send)
        elif given in self.sessions:
            await self.use(given, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that may open a session."""
        opened = None

        async def watch(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened = Headers(raw=message["headers"]).get(SESSION_ID)
            await send(message)

        await self.app(scope, receive, watch)
        if opened:
            client = scope["client"][0] if scope["client"] else ""
            self.sessions[opened] = Session(client, used=monotonic())
            self.forget_idle()
            if len(self.sessions) > self.most:
                await self.make_room(scope)

    async def use(
        self, session_id: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass on a request of a session, and see whether that ends the session."""
        session = self.sessions[session_id]
        is_gone = False

        async def watch(message: Message) -> None:
            nonlocal is_gone
            if message["type"] == "http.response.start":
                ended = scope["method"] == "DELETE" and message["status"] < 400
                is_gone = ended or message["status"] == 404
            await send(message)

        session.answering.append(scope["method"])
        try:
            await self.app(scope, receive, watch)
        finally:
            session.answering.remove(scope["method"])
            session.used = monotonic()
            if self.sessions.pop(session_id, None) and not is_gone:
                self.sessions[session_id] = session

    def forget_idle(self) -> None:
        """Forget the sessions that the SDK has closed by now."""
        oldest = monotonic() - self.idle_time
        for session_id, session in list(self.sessions.items()):
            if session.used > oldest:
                break
            if not session.answering:
                del self.sessions[session_id]

    async def make_room(self, scope: Scope) -> None:
        """Close a session as its client would, unless all others are in use."""
        counts = Counter(session.client for session in self.sessions.values())
        *others, _ = self.sessions.items()
        idle = {key: session for key, session in others if not session.is_busy}
        if idle:
            unused = max(
                idle,
                key=lambda key: (counts[idle[key].client], not idle[key].answering),
            )
            headers = [header for header in scope["headers"] if header[0] == b"host"]
            headers.append((SESSION_ID.encode(), unused.encode()))
            leave = {**scope, "method": "DELETE", "headers": headers}
            await self.use(unused, leave, receive_nothing, send_nothing)


async def receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def send_nothing(_: Message) -> None:
    return None
