"""The stdio transport: one client on standard input and output."""

import argparse
import asyncio
import json
import os
import signal
import sys
import threading
import time
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
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from .command import GRACE, end_soon

# Messages that wait to be served, answers that the client has not read, and requests
# that are not answered: with more, the server does not read on.
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
        if sys.stdin.isatty():
            print("Waiting for a client on standard input", file=sys.stderr)
        stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # What handlers print goes to standard error.
        server = self.load(options)
        async with server.lifespan(server) as shared:
            writer = Writer(stdout)
            lines = Lines(stdin, writer, options.message_size)
            stop_at_signals(lines.end)
            await serve_dual_era_loop(server, lines, writer, lifespan_state=shared)


def stop_at_signals(stop: Callable[[], None]) -> None:
    """Stop at SIGINT and SIGTERM, even while a handler blocks the event loop."""
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # A second one ends the process at once.
        end_soon()
        loop.call_soon_threadsafe(stop)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)


class Lines(ObjectReceiveStream[SessionMessage]):
    """Messages, read by a daemon thread: unlike the SDK's, it never keeps the process."""

    def __init__(self, stdin: BinaryIO, writer: "Writer", longest: int) -> None:
        self.stdin = stdin
        self.writer = writer
        self.longest = longest
        self.messages = asyncio.Queue[SessionMessage | None]()
        self.room = threading.Semaphore(MOST_UNREAD)
        self.loop = asyncio.get_running_loop()
        threading.Thread(target=self.read, name="stdin", daemon=True).start()

    def read(self) -> None:
        with suppress(RuntimeError):  # The loop is closed: the server has ended.
            try:
                while line := self.stdin.readline(self.longest + 1):
                    self.take(line)
            except OSError:
                pass  # The terminal has gone.
            finally:
                end_soon()
                self.loop.call_soon_threadsafe(self.end)

    def take(self, line: bytes) -> None:
        if len(line) > self.longest:
            while line and not line.endswith(b"\n"):
                line = self.stdin.readline(self.longest)
            line = b"(a message that is too long)"
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            return self.refuse(line)
        self.put(SessionMessage(message))

    def refuse(self, line: bytes) -> None:
        """Answer a line that is no message, or tell whoever waits for this response.

        Broken responses are not answered: two servers that answered each other's errors
        would go on for ever.
        """
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return self.writer.refuse(PARSE_ERROR, "Not JSON, or too long")
        if not isinstance(found, dict) or "method" in found:
            return self.writer.refuse(INVALID_REQUEST, "Not a JSON-RPC message")
        if isinstance(number := found.get("id"), int | str):
            error = ErrorData(code=INVALID_REQUEST, message="Not a response")
            broken = JSONRPCError(jsonrpc="2.0", id=number, error=error)
            self.put(SessionMessage(broken))

    def put(self, message: SessionMessage) -> None:
        self.room.acquire()
        self.loop.call_soon_threadsafe(self.messages.put_nowait, message)

    def end(self) -> None:
        """End the messages, as if the client had closed its end."""
        self.messages.put_nowait(None)

    async def receive(self) -> SessionMessage:
        while self.writer.lines.qsize() > MOST_UNREAD or self.writer.owed > MOST_CALLS:
            await anyio.sleep(0.01)
        message = await self.messages.get()
        if message is None:
            self.end()  # Whoever asks again is told again.
            with anyio.move_on_after(GRACE):
                while self.writer.owed > 0:
                    await anyio.sleep(0.01)
            raise anyio.EndOfStream
        self.room.release()
        self.writer.owed += isinstance(message.message, JSONRPCRequest)
        return message

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

    def refuse(self, code: int, text: str) -> None:
        """Say that a line is no message; called by the thread that reads."""
        while self.lines.qsize() > MOST_UNREAD:
            time.sleep(0.01)
        error = ErrorData(code=code, message=text)
        self.put(JSONRPCError(jsonrpc="2.0", id=None, error=error))

    def put(self, message: Any) -> None:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        self.lines.put(text.encode())

    async def send(self, item: SessionMessage) -> None:
        self.put(item.message)
        self.owed -= isinstance(item.message, JSONRPCResponse | JSONRPCError)
        while self.lines.qsize() > MOST_UNREAD:
            await anyio.sleep(0.01)

    async def aclose(self) -> None:
        """Write what is left, unless the client does not read it."""
        self.lines.put(b"")
        self.thread.join(GRACE)
