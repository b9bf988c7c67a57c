# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""HTTP connections: how many there may be, how long they may take, and how they end."""

import asyncio
import errno
import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from socket import socket
from types import FrameType
from typing import Any, NamedTuple

import anyio
import h11
import uvicorn
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from conformance._generated.limits import Limits
from conformance._generated.log import reason

if sys.platform != "win32":
    import resource

logger = logging.getLogger(__name__)

LIMITS = Limits.from_environment()
MOST_WAITING = 4096
# Methods that are answered only when the client leaves or the server ends.
ENDLESS = {"subscriptions/listen", "notifications/initialized"}


class InFlight(NamedTuple):
    """A request or notification that is under way, and the address that it came from."""

    method: str
    client: str


class Listener(uvicorn.Server):
    """Serves an app until a signal stops it, or until the app fails."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        config = uvicorn.Config(
            self.admit,
            interface="asgi3",
            host=host,
            port=port,
            http=Connection,
            ws="none",
            backlog=8,  # How many are accepted in one go, before any can be closed.
            lifespan="off",  # `run_app` opens it: uvicorn would serve on after it ended.
            log_config=None,
            access_log=logger.isEnabledFor(logging.DEBUG),
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        # `shutdown` ends the streams instead.
        AppStatus.enable_automatic_graceful_drain = False
        self.app = app
        self.loop = asyncio.get_running_loop()
        self.scope = anyio.CancelScope()
        self.in_flight: dict[anyio.CancelScope, InFlight] = {}
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
                cause = reason(error)
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
        """Listen; unlike asyncio, let more clients wait than are accepted in one go."""
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
        """Refuse requests above the limit of connections, except for `/health`.

        Log each request that is refused, here or by the app.
        """

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= 400:
                request = scope["method"], scope["path"]
                logger.info("answered %s %s with %d", *request, message["status"])
            await send(message)

        connections: set[Any] = self.server_state.connections
        if len(connections) > MOST_CONNECTIONS and scope["path"] != "/health":
            busy = [
                c for c in connections if isinstance(c, Connection) and not c.is_waiting
            ]
            if len(busy) > MOST_CONNECTIONS:
                headers = {"Connection": "close"}
                refusal = PlainTextResponse("Service Unavailable", 503, headers)
                return await refusal(scope, receive, tell)
        await self.app(scope, receive, tell)

    async def health(self, _: Request) -> JSONResponse:
        if self.should_exit:
            return JSONResponse({"status": "stopping"}, 503)
        return JSONResponse({"status": "ok"})

    async def answer(
        self, ctx: ServerRequestContext[Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer a request, even if the server stops during it or before."""
        address = ctx.request.client if ctx.request else None
        client = address.host if address else ""
        with anyio.CancelScope() as scope:
            if ctx.request_id is not None:
                if self.should_exit:
                    raise MCPError(CONNECTION_CLOSED, "The server is being stopped")
                if ctx.method not in ENDLESS and self.has_its_share(client):
                    logger.warning(
                        "%s has %d calls in flight, the most",
                        client,
                        LIMITS.client_calls,
                    )
                    raise MCPError(
                        INTERNAL_ERROR, "Too many calls at once, try again later"
                    )
            self.in_flight[scope] = InFlight(ctx.method, client)
            try:
                return await call_next(ctx)
            finally:
                del self.in_flight[scope]
        if ctx.request_id is None:
            return None  # A notification, which is not answered.
        raise MCPError(CONNECTION_CLOSED, "The server has been stopped")

    def calls(self) -> Iterator[InFlight]:
        """Yield what is in flight and will end by itself."""
        for request in self.in_flight.values():
            if request.method not in ENDLESS:
                yield request

    def has_its_share(self, client: str) -> bool:
        """Whether a client has as many calls in flight as it may."""
        if len(self.in_flight) < LIMITS.client_calls:
            return False
        return (
            sum(call.client == client for call in self.calls()) >= LIMITS.client_calls
        )

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        with anyio.move_on_after(LIMITS.grace_time):
            while not self.force_exit and any(self.calls()):
                await asyncio.sleep(0.02)
        for scope in self.in_flight:
            scope.cancel()
        await asyncio.sleep(0.1)  # Lets their answers go out.
        for task in self.server_state.tasks:
            task.cancel()  # Streams, which do not end on their own.
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
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
        """End the process when its time is up, even if something hangs."""
        seconds = LIMITS.stop_time + (LIMITS.grace_time if self.in_flight else 0)
        timer = threading.Timer(seconds, self.give_up, [seconds])
        timer.daemon = True
        timer.start()

    def give_up(self, seconds: float) -> None:
        logger.error("has not stopped within %g seconds", seconds)
        os._exit(1)


def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error in the event loop, in one line if clients are the cause."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        logger.warning("no file descriptor is left for another connection")
    else:
        loop.default_exception_handler(context)


def most_connections() -> int:
    """Return the limit, lowered to leave handlers a quarter of the file descriptors."""
    if sys.platform != "win32":
        descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if descriptors != resource.RLIM_INFINITY:
            return min(LIMITS.connections, descriptors * 3 // 4)
    return LIMITS.connections


MOST_CONNECTIONS = most_connections()
# How many clients may connect at once when streams or calls have taken all connections.
RESERVE = 1 + MOST_CONNECTIONS // 50


class Connection(H11Protocol):
    """A connection that gives its client limited time to send or read the next part."""

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
        """Whether the server waits for the client."""
        is_unread = self.flow.write_paused or self.transport.is_closing()
        return is_unread or self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def is_stream(self) -> bool:
        """Whether it is an open stream, which ends when the client leaves."""
        if not self.cycle or self.cycle.response_complete:
            return False
        listens = (b"mcp-method", b"subscriptions/listen") in self.headers
        return self.scope["method"] == "GET" or listens

    @property
    def peer(self) -> str:
        return self.scope["client"][0] if self.scope["client"] else ""

    def make_room(self) -> None:
        """Close the connections that wait longest for clients; if these are few, a stream.

        The stream is the oldest of the client that has the most; it can open another.
        """
        connections: set[Any] = self.connections
        others = [c for c in connections if isinstance(c, Connection) and c is not self]
        others.sort(key=lambda other: other.since)
        waiting = [other for other in others if other.is_waiting]
        streams = [other for other in others if other.is_stream]
        counts = Counter(stream.peer for stream in streams)
        streams.sort(key=lambda stream: -counts[stream.peer])
        # Several at once: in a flood, looking for each one would take too long.
        for other in waiting[:RESERVE] if len(waiting) > RESERVE else streams[:1]:
            other.hang_up(b"503 Service Unavailable")

    def watch(self) -> None:
        """Start the client's time for what it has to send or read next."""
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
        """Close the connection, unless the client has read on in the meantime."""
        if self.transport.get_write_buffer_size() < unread:
            self.awaited = None
            self.watch()
        else:
            self.hang_up(b"408 Request Timeout")

    def stop_waiting(self) -> None:
        if self.timer:
            self.timer.cancel()

    def hang_up(self, status: bytes) -> None:
        """Close the connection, with a status if no response has begun."""
        self.connections.discard(self)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(b"HTTP/1.1 %b\r\nConnection: close\r\n\r\n" % status)
        self.transport.close()
        self.loop.call_later(
            1, self.transport.abort
        )  # The client may never read the rest.
