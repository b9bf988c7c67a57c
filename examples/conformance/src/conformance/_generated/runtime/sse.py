"""The transport of the oldest HTTP clients: `/sse` to read, `/messages/` to write."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.server.sse import SseServerTransport
from mcp.shared.message import SessionMessage
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

# Answers that a client has not read: beyond, it is not read from either.
MOST_UNREAD = 64


def sse_routes(server: Server[Any], largest: int) -> list[BaseRoute]:
    """Return the routes of the transport; `largest` is the size of a message in bytes."""
    transport = SseServerTransport("/messages/", max_request_body_size=largest)
    return [
        Route("/sse", SseEndpoint(server, transport), methods=["GET"]),
        Mount("/messages/", Messages(transport.handle_post_message)),
    ]


class Messages:
    """Takes messages of a client only while it reads its answers: those that `Requests`
    has not read yet wait here, after they were accepted."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.waiting = Counter[bytes]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["query_string"]
        if self.waiting[client] > MOST_UNREAD:
            refusal = PlainTextResponse("Read your answers first", 429)
            return await refusal(scope, receive, send)
        self.waiting[client] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.waiting[client] -= 1
            if not self.waiting[client]:
                del self.waiting[client]


class SseEndpoint:
    """Serves each GET as a client of its own, on the stream of its response."""

    def __init__(self, server: Server[Any], transport: SseServerTransport) -> None:
        self.server = server
        self.transport = transport
        self.lifespan = server.lifespan
        server.lifespan = self.shared_by_all

    @asynccontextmanager
    async def shared_by_all(self, server: Server[Any]) -> AsyncGenerator[Any]:
        """Keep what the lifespan yields, which is entered once, for each client."""
        async with self.lifespan(server) as self.shared:
            yield self.shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self.transport.connect_sse(scope, receive, send) as (read, write):
            answers = Answers(write)
            requests = Requests(read, answers)
            await serve_dual_era_loop(
                self.server, requests, answers, lifespan_state=self.shared
            )


class Answers(ObjectSendStream[SessionMessage]):
    """What the client is to read: counts what it has not read yet."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.unread = 0

    async def send(self, item: SessionMessage) -> None:
        self.unread += 1
        try:
            await self.stream.send(item)
        finally:
            self.unread -= 1

    async def aclose(self) -> None:
        await self.stream.aclose()


class Requests(ObjectReceiveStream[SessionMessage | Exception]):
    """What the client sends, read only while it reads its answers."""

    def __init__(self, stream: Any, answers: Answers) -> None:
        self.stream = stream
        self.answers = answers

    @property
    def last_context(self) -> Any:
        """The context of the sender, in which the SDK runs the handler."""
        return self.stream.last_context

    async def receive(self) -> SessionMessage | Exception:
        while self.answers.unread > MOST_UNREAD:
            await anyio.sleep(0.01)
        item: SessionMessage | Exception = await self.stream.receive()
        return item

    async def aclose(self) -> None:
        await self.stream.aclose()
