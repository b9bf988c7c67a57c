# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Connections: how many there may be, how long they may take, and how they end."""

import asyncio
import errno
import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import socket
from types import FrameType
from typing import Any

import anyio
import h11
import uvicorn
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from expenses._generated.limits import Limits

if sys.platform != "win32":
    import resource

logger = logging.getLogger(__name__)

LIMITS = Limits.from_environment()
MOST_WAITING = 4096
# What a client waits for until the server ends.
ENDLESS = {"subscriptions/listen", "notifications/initialized"}


class Listener(uvicorn.Server):
    """Serves an app until a signal says stop, or until the app breaks down."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        config = uvicorn.Config(
            self.admit,
            interface="asgi3",
            host=host,
            port=port,
            http=Connection,
            ws="none",
            backlog=8,  # So many are accepted at once, before any of them is hung up on.
            lifespan="off",  # `run_app` opens it: uvicorn serves on when it has ended.
            log_config=None,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        # `shutdown` ends the streams.
        AppStatus.enable_automatic_graceful_drain = False
        self.app = app
        self.loop = asyncio.get_running_loop()
        self.scope = anyio.CancelScope()
        self.in_flight: dict[anyio.CancelScope, str] = {}
        self.is_told_to_stop = False
        app.add_route("/health", self.health)

    async def run_app(self) -> int:
        """Open the app, serve it and close it; return the exit code of the process."""
        self.loop.set_exception_handler(report)
        with self.capture_signals():
            try:
                with self.scope:
                    async with self.app.router.lifespan_context(self.app):
                        with suppress(SystemExit):  # The log says why it cannot listen.
                            await self.serve()
            except (Exception, BaseExceptionGroup) as error:
                cause: BaseException = error
                while isinstance(cause, BaseExceptionGroup):
                    cause = cause.exceptions[0]
                details = error if logger.isEnabledFor(logging.DEBUG) else None
                name = type(cause).__name__
                logger.error("cannot go on: %s: %s", name, cause, exc_info=details)
                return 1
        if self.is_told_to_stop:
            return 0
        if not self.started:
            return STARTUP_FAILURE
        logger.error("cannot go on: what serves the clients has ended")
        return 1

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen; unlike asyncio, let more clients wait than are accepted at once."""
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                with listening.dup() as waiting:
                    waiting.listen(MOST_WAITING)

    async def serve(self, sockets: list[socket] | None = None) -> None:
        try:
            await super().serve(sockets)
        finally:
            self.should_exit = True
            self.stop_in_time()

    async def admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse requests while more than the most are answered, `/health` excepted."""
        connections = self.server_state.connections
        if len(connections) > MOST_CONNECTIONS and scope["path"] != "/health":
            busy = [
                c for c in connections if isinstance(c, Connection) and not c.is_waiting
            ]
            if len(busy) > MOST_CONNECTIONS:
                headers = {"Connection": "close"}
                refusal = PlainTextResponse("Service Unavailable", 503, headers)
                return await refusal(scope, receive, send)
        await self.app(scope, receive, send)

    async def health(self, _: Request) -> JSONResponse:
        if self.should_exit:
            return JSONResponse({"status": "stopping"}, 503)
        return JSONResponse({"status": "ok"})

    async def answer(
        self, ctx: ServerRequestContext[Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer a request, even if the end of the server interrupts it or comes first."""
        with anyio.CancelScope() as scope:
            if self.should_exit and ctx.request_id is not None:
                raise MCPError(CONNECTION_CLOSED, "The server is being stopped")
            self.in_flight[scope] = ctx.method
            try:
                return await call_next(ctx)
            finally:
                del self.in_flight[scope]
        raise MCPError(CONNECTION_CLOSED, "The server has been stopped")

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        with anyio.move_on_after(LIMITS.grace_time):
            while not (self.force_exit or ENDLESS.issuperset(self.in_flight.values())):
                await asyncio.sleep(0.02)
        for scope in self.in_flight:
            scope.cancel()
        await asyncio.sleep(0.1)  # Their answers go out.
        for task in self.server_state.tasks:
            task.cancel()  # Streams, which do not end on their own.
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal; uvicorn's own method raises it again, before the app closes."""
        for number in HANDLED_SIGNALS:
            signal.signal(number, self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if not (self.started or self.is_told_to_stop):
            self.loop.call_soon_threadsafe(self.scope.cancel)
        self.is_told_to_stop = True
        self.stop_in_time()

    def stop_in_time(self) -> None:
        """End the process, whatever hangs, when its time is up."""
        seconds = LIMITS.stop_time + (LIMITS.grace_time if self.in_flight else 0)
        timer = threading.Timer(seconds, self.give_up, [seconds])
        timer.daemon = True
        timer.start()

    def give_up(self, seconds: float) -> None:
        logger.error("has not stopped within %g seconds", seconds)
        os._exit(1)


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in the loop, in a line where clients are the cause."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        logger.warning("no file descriptor is left for another connection")
    else:
        loop.default_exception_handler(context)


def most_connections() -> int:
    """Return the limit, or what leaves handlers a quarter of the file descriptors."""
    if sys.platform != "win32":
        descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if descriptors != resource.RLIM_INFINITY:
            return min(LIMITS.connections, descriptors * 3 // 4)
    return LIMITS.connections


MOST_CONNECTIONS = most_connections()
# How many clients may connect at once when streams or calls have taken all connections.
RESERVE = 1 + MOST_CONNECTIONS // 50


class Connection(H11Protocol):
    """A connection whose client has so long for what it has to send, or to read, next."""

    timer: asyncio.TimerHandle | None = None
    awaited: object = None
    since = 0.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.watch()
        if len(self.connections) > MOST_CONNECTIONS:
            self.make_room()
            logger.warning("%d connections are open, the most", MOST_CONNECTIONS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.stop_waiting()

    @property
    def is_waiting(self) -> bool:
        """Whether it is the client's turn."""
        is_unread = self.flow.write_paused or self.transport.is_closing()
        return is_unread or self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def is_stream(self) -> bool:
        """Whether it is open until the client has heard enough."""
        if self.cycle is None or self.cycle.response_complete:
            return False
        return self.scope["method"] == "GET"

    @property
    def peer(self) -> str:
        return self.scope["client"][0] if self.scope["client"] else ""

    def make_room(self) -> None:
        """Hang up on the oldest that wait for their clients; if these are few, on a stream.

        The stream is one of the client that has the most of them; it can open another.
        """
        others = [
            c for c in self.connections if isinstance(c, Connection) and c is not self
        ]
        others.sort(key=lambda other: other.since)
        waiting = [other for other in others if other.is_waiting]
        streams = [other for other in others if other.is_stream]
        counts = Counter(stream.peer for stream in streams)
        streams.sort(key=lambda stream: -counts[stream.peer])
        # Several at once, since a flood would spend its time looking for the next.
        for other in waiting[:RESERVE] if len(waiting) > RESERVE else streams[:1]:
            other.hang_up(b"503 Service Unavailable")

    def watch(self) -> None:
        """Give the client its time for what it has to send, or to read, next."""
        is_unread = self.flow.write_paused
        awaited = (self.conn.their_state, self.cycle, is_unread)
        if awaited != self.awaited:
            self.awaited = awaited
            self.since = self.loop.time()
            self.stop_waiting()
            if self.is_waiting:
                is_head = self.conn.their_state is h11.IDLE and not is_unread
                seconds = LIMITS.head_time if is_head else LIMITS.body_time
                unread = self.transport.get_write_buffer_size() if is_unread else 0
                self.timer = self.loop.call_later(seconds, self.lose_patience, unread)

    def lose_patience(self, unread: int) -> None:
        """Hang up, unless the client has read some of an answer in the meantime."""
        if self.transport.get_write_buffer_size() < unread:
            self.awaited = None
            self.watch()
        else:
            self.hang_up(b"408 Request Timeout")

    def stop_waiting(self) -> None:
        if self.timer:
            self.timer.cancel()

    def hang_up(self, status: bytes) -> None:
        """Close the connection, saying why where no answer has begun."""
        self.connections.discard(self)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(b"HTTP/1.1 %b\r\nConnection: close\r\n\r\n" % status)
        self.transport.close()
        self.loop.call_later(1, self.transport.abort)  # It may not read what is left.
