"""The listener of the HTTP server, and the gate before its app: drained at a stop."""

import asyncio
import errno
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import anyio
import uvicorn
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .command import MAX_BYTES_AT_WORK, SettingsError, stop_at_signals

# Streams count too. uvicorn's own limit would count idle connections, and refuse probes.
MAX_REQUESTS = 1000
# Bytes of `initialize`, whose parameters a session keeps.
MAX_INITIALIZE = 2**15
BUSY = JSONResponse({"status": "busy"}, 503, {"Retry-After": "1"})
CALLS = ("tools/call", "resources/read", "prompts/get", "completion/complete")
# Seconds for requests that proxies had sent before they saw the listener close.
ON_THE_WAY = 0.2


class Gate:
    """A limit on requests in progress. Its `status` is `ok` or `stopping`."""

    def __init__(self) -> None:
        self.status = "ok"
        self.at_work = 0
        self.bytes_at_work = 0
        self.calls = 0

    async def alive(self, _: Request) -> JSONResponse:
        """Answer that the process runs, whatever its state."""
        return JSONResponse({"status": "ok"})

    async def ready(self, _: Request) -> JSONResponse:
        """Answer whether requests should be sent here."""
        return JSONResponse(
            {"status": self.status}, 200 if self.status == "ok" else 503
        )

    def before(self, app: ASGIApp) -> ASGIApp:
        """Return the app behind the gate.

        At a stop, clients are asked for a new connection, and streams are ended whole.
        """

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            declared = dict(scope["headers"]).get(b"content-length")
            weight = scope["weight"] = Weight(self, int(declared or 0))
            is_open, is_whole = False, scope["method"] != "POST"

            async def received() -> Message:
                """Return a message; part of a body alone is not handed on."""
                nonlocal is_whole
                message = await receive()
                if message["type"] == "http.disconnect" and not is_whole:
                    raise ClientDisconnect
                is_whole = is_whole or not message.get("more_body", False)
                if declared is None:
                    weight.add(len(message.get("body", b"")))
                    if weight.is_too_much():
                        await BUSY(scope, receive, sent)
                        raise ClientDisconnect
                return message

            async def sent(message: Message) -> None:
                nonlocal is_open
                is_start = message["type"] == "http.response.start"
                if is_start and self.status == "stopping":
                    others = [
                        pair for pair in message["headers"] if pair[0] != b"connection"
                    ]
                    message["headers"] = [*others, (b"connection", b"close")]
                is_open = is_start or message.get("more_body", False)
                await send(message)

            with suppress(ClientDisconnect), weight:
                if self.at_work > MAX_REQUESTS or weight.is_too_much():
                    return await BUSY(scope, receive, send)
                await app(scope, received, sent)
            if is_open and self.status == "stopping":
                await send({"type": "http.response.body"})

        return gated

    async def counted(
        self, ctx: ServerRequestContext[Any], call_next: CallNext
    ) -> HandlerResult:
        """Middleware that counts the calls that run: a stop waits for them."""
        request: Any = ctx.request
        weight = request.scope["weight"]
        if ctx.method == "initialize" and weight.size > MAX_INITIALIZE:
            words = f"initialize has more than {MAX_INITIALIZE} bytes"
            raise MCPError(INVALID_PARAMS, words)
        if ctx.method not in CALLS:
            return await call_next(ctx)
        self.calls += 1
        try:
            with weight:  # Its connection may end before it does.
                return await call_next(ctx)
        finally:
            self.calls -= 1

    async def finished(self, grace: float) -> None:
        """Wait until no call runs, but no longer than `grace` seconds."""
        with anyio.move_on_after(grace):
            while self.calls:
                await anyio.sleep(0.02)


class Weight:
    """A request and its bytes: they count as long as its response or its call goes on."""

    def __init__(self, gate: Gate, size: int) -> None:
        self.gate = gate
        self.size = size
        self.holders = 0

    def is_too_much(self) -> bool:
        """Return whether there is no room beside others for a request that counts."""
        return self.gate.bytes_at_work > max(self.size, MAX_BYTES_AT_WORK)

    def add(self, size: int) -> None:
        """Add a part of a body whose size was not declared."""
        self.size += size
        self.gate.bytes_at_work += size

    def __enter__(self) -> None:
        if not self.holders:
            self.gate.at_work += 1
            self.gate.bytes_at_work += self.size
        self.holders += 1

    def __exit__(self, *_: object) -> None:
        self.holders -= 1
        if not self.holders:
            self.gate.at_work -= 1
            self.gate.bytes_at_work -= self.size


class Listener(uvicorn.Server):
    """Listens and serves until a signal comes."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals alone: uvicorn would raise them again at the end, which kills the
        process before the lifespan's exit."""
        yield

    def drain_at_signals(
        self, gate: Gate, grace_time: float, at_stop: Callable[[], None]
    ) -> None:
        """Stop without losing a request: new ones go elsewhere, and calls finish."""

        async def drain() -> None:
            gate.status = "stopping"
            # Connections that wait to be accepted would be reset.
            await asyncio.sleep(0)
            for server in self.servers if self.started else ():
                server.close()
            at_stop()
            await anyio.sleep(ON_THE_WAY)
            await gate.finished(grace_time)
            # It ends the streams of sse-starlette too.
            self.handle_exit(signal.SIGTERM, None)

        loop = asyncio.get_running_loop()
        stop_at_signals(
            lambda: asyncio.run_coroutine_threadsafe(drain(), loop), grace_time
        )


async def require_port(host: str, port: int) -> None:
    """Raise SettingsError if a port cannot be opened: uvicorn would log the system's words."""
    create = asyncio.get_running_loop().create_server
    try:
        (await create(asyncio.Protocol, host, port, start_serving=False)).close()
    except OSError as error:
        text = f"cannot listen on {host}: {error.strerror}"
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} is in use: choose another with --port"
        raise SettingsError(text) from None
