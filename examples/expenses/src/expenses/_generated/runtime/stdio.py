"""The stdio transport: one client on standard input and output."""

import argparse
import asyncio
import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from .command import EXIT_TIME, end_soon, stop_at_signals

# With more lines that wait, answers that are not read, or requests that are not
# answered, the server does not read on.
MOST_UNREAD = 64
MOST_CALLS = 1000


class Stdio:
    """The transport; `load` imports the handlers and returns the server."""

    def __init__(self, load: Callable[[argparse.Namespace], Server[Any]]) -> None:
        self.load = load

    def add_options(self, add: Callable[..., None]) -> None:
        """There are none."""

    async def serve(self, options: argparse.Namespace) -> None:
        """Serve until the input ends or a signal stops the server."""
        stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # What handlers print goes to standard error.
        server = self.load(options)
        async with server.lifespan(server) as shared:
            writer = Writer(stdout)
            grace_time = options.grace_time
            reader = Reader(stdin, writer, options.message_size, grace_time)
            stop_at_signals(reader.end, grace_time)
            await serve_dual_era_loop(server, reader, writer, lifespan_state=shared)


class Reader(ObjectReceiveStream[SessionMessage]):
    """Messages, read by a daemon thread: unlike the SDK's, it never keeps the process."""

    def __init__(
        self, stdin: BinaryIO, writer: "Writer", longest: int, grace_time: float
    ) -> None:
        self.stdin = stdin
        self.writer = writer
        self.longest = longest
        self.grace_time = grace_time
        self.lines = asyncio.Queue[bytes]()
        self.room = threading.Semaphore(MOST_UNREAD)
        self.loop = asyncio.get_running_loop()
        threading.Thread(target=self.read, name="stdin", daemon=True).start()

    def read(self) -> None:
        with suppress(RuntimeError):  # The loop is closed: the server has ended.
            try:
                # A line that is too long comes in pieces, none of which is a message.
                while line := self.stdin.readline(self.longest):
                    self.room.acquire()
                    self.loop.call_soon_threadsafe(self.lines.put_nowait, line)
            except OSError:
                pass  # The terminal has gone.
            finally:
                end_soon(self.grace_time + EXIT_TIME)
                self.loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """End the messages, as if the client had closed its end."""
        self.lines.put_nowait(b"")

    async def receive(self) -> SessionMessage:
        while True:
            while (
                self.writer.lines.qsize() > MOST_UNREAD or self.writer.owed > MOST_CALLS
            ):
                await anyio.sleep(0.01)
            line = await self.lines.get()
            if not line:
                self.end()  # Whoever asks again is told again.
                with anyio.move_on_after(self.grace_time):
                    while self.writer.owed > 0:
                        await anyio.sleep(0.01)
                raise anyio.EndOfStream
            self.room.release()
            message = message_in(line)
            if isinstance(message, ErrorData):
                self.writer.refuse(message)
            elif message:
                self.writer.owed += isinstance(message, JSONRPCRequest)
                return SessionMessage(message)

    async def aclose(self) -> None:
        """The thread ends with the process."""


class Writer(ObjectSendStream[SessionMessage]):
    """What the client is to read, written by a daemon thread."""

    def __init__(self, stdout: BinaryIO) -> None:
        self.stdout = stdout
        self.lines = SimpleQueue[bytes]()
        self.owed = 0
        self.thread = threading.Thread(target=self.write, name="stdout", daemon=True)
        self.thread.start()

    def write(self) -> None:
        with suppress(OSError), self.stdout:  # The client has gone.
            for line in iter(self.lines.get, b""):
                self.stdout.write(line + b"\n")
                if self.lines.empty():
                    self.stdout.flush()

    def refuse(self, error: ErrorData) -> None:
        """Answer what is no request, without an id: MCP's schemas do not have null there."""
        text = error.model_dump_json(exclude_unset=True)
        self.lines.put(b'{"jsonrpc":"2.0","error":%b}' % text.encode())

    async def send(self, item: SessionMessage) -> None:
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self.lines.put(text.encode())
        self.owed -= isinstance(item.message, JSONRPCResponse | JSONRPCError)
        while self.lines.qsize() > MOST_UNREAD:
            await anyio.sleep(0.01)

    async def aclose(self) -> None:
        """Write what is left, unless the client does not read it."""
        self.lines.put(b"")
        self.thread.join(EXIT_TIME)


def message_in(line: bytes) -> JSONRPCMessage | ErrorData | None:
    """Return the message in a line, or the error that a line without one is answered with.

    A broken response is an error for whoever waits for it. Other responses are dropped:
    two peers that answered each other's errors would go on for ever.
    """
    with suppress(ValidationError):
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        is_for_nobody = isinstance(message, JSONRPCError) and message.id is None
        return None if is_for_nobody else message
    try:
        found: dict[str, Any] | str | None = json.loads(line)
    except (ValueError, RecursionError):
        unreadable = ErrorData(code=PARSE_ERROR, message="Not JSON, or too long")
        return None if line.isspace() else unreadable
    error = ErrorData(code=INVALID_REQUEST, message="Not a JSON-RPC message")
    if not isinstance(found, dict) or "method" in found:
        return error
    if isinstance(number := found.get("id"), int | str):
        with suppress(ValidationError):  # `true` is no id.
            return JSONRPCError(jsonrpc="2.0", id=number, error=error)
    return None
