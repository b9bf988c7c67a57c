"""The stdio transport: one client on standard input and output."""

import argparse
import asyncio
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic_core import from_json

from .command import EXIT_TIME, MAX_BYTES_AT_WORK, end_soon, stop_at_signals

logger = logging.getLogger(__name__)

# With more unread lines for the client, the server stops reading.
MAX_UNREAD = 64
# The overhead of a message, which limits the number of small ones too.
OVERHEAD = 64 * 1024
# Seconds for the client to read one of the last lines.
LINE_SECONDS = 1


async def serve_stdio(
    load: Callable[[argparse.Namespace], Server[Any]], options: argparse.Namespace
) -> None:
    """Serve until the input ends or a signal stops the server.

    `load` imports the handlers and returns the server.
    """
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # What handlers print goes to standard error.
    server = load(options)
    async with server.lifespan(server) as shared:
        stream = StdioStream(stdin, stdout, options.message_size, options.grace_time)
        stop_at_signals(stream.end, options.grace_time)
        await serve_dual_era_loop(server, stream, stream, lifespan_state=shared)
        stream.finish()


class StdioStream(
    ObjectReceiveStream[SessionMessage], ObjectSendStream[SessionMessage]
):
    """The client's messages, and lines for it to read.

    Daemon threads read and write: unlike the SDK's, they never keep the process. The
    first parses messages too, so that a large one does not hold up the event loop.
    """

    def __init__(
        self, stdin: BinaryIO, stdout: BinaryIO, max_size: int, grace_time: float
    ) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.max_size = max_size
        self.grace_time = grace_time
        self.loop = asyncio.get_running_loop()
        self.messages = asyncio.Queue[tuple[JSONRPCMessage, object] | None]()
        self.at_work = dict[object, int]()
        """Bytes for each message: for requests, by their ids, until they are answered."""
        self.unread = SimpleQueue[bytes]()
        self.writer = self.start(self.write)
        self.start(self.read)

    def start(self, work: Callable[[], None]) -> threading.Thread:
        """Start a thread, which ends when the client or the server does."""

        def run() -> None:
            try:
                with suppress(OSError, RuntimeError):  # The pipe or the loop is closed.
                    work()
            finally:
                end_soon(self.grace_time + EXIT_TIME)
                with suppress(RuntimeError):
                    self.loop.call_soon_threadsafe(self.end)

        thread = threading.Thread(target=run, name=work.__name__, daemon=True)
        thread.start()
        return thread

    def read(self) -> None:
        for line in self.lines():
            if (message := message_in(line)) is None:
                continue
            key = message.id if isinstance(message, JSONRPCRequest) else object()
            if key in self.at_work:
                logger.warning("dropped a request with the id of another")
                continue
            self.at_work[key] = len(line) + OVERHEAD
            self.loop.call_soon_threadsafe(self.messages.put_nowait, (message, key))

    def lines(self) -> Iterator[bytes]:
        """Yield lines while there is room for them. One that is too long is dropped."""
        while self.has_room() and (line := self.stdin.readline(self.max_size + 1)):
            if len(line) <= self.max_size or line.endswith(b"\n"):
                yield line
                continue
            logger.warning("dropped a message that is too long")
            while line and not line.endswith(b"\n"):
                line = self.stdin.readline(self.max_size)

    def has_room(self) -> bool:
        """Wait until another message fits. Return False if the client has left."""
        deadline = time.monotonic() + self.grace_time
        while (
            self.unread.qsize() > MAX_UNREAD
            or sum(self.at_work.copy().values()) > MAX_BYTES_AT_WORK
        ):
            time.sleep(0.01)
            is_late = time.monotonic() > deadline
            if not self.writer.is_alive() or (is_late and has_hung_up(self.stdin)):
                return False
        return True

    def end(self) -> None:
        """End the messages, as if the client had closed its end."""
        self.messages.put_nowait(None)

    async def receive(self) -> SessionMessage:
        item = await self.messages.get()
        if item is None:
            self.end()  # Later reads also see the end.
            left = self.at_work.copy()  # What comes later is not answered.
            with anyio.move_on_after(self.grace_time):
                while left.keys() & self.at_work.copy() and self.writer.is_alive():
                    await anyio.sleep(0.01)
            raise anyio.EndOfStream
        message, key = item

        async def settle() -> None:
            self.at_work.pop(key, None)

        if not isinstance(message, JSONRPCRequest):
            await settle()
        metadata = ServerMessageMetadata(on_request_unanswered=settle)
        return SessionMessage(message, metadata)

    def write(self) -> None:
        with self.stdout:
            for line in iter(self.unread.get, b""):
                self.stdout.write(line)
                if self.unread.empty():
                    self.stdout.flush()

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        self.unread.put(text.encode() + b"\n")
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self.at_work.pop(message.id, None)
        while self.unread.qsize() > MAX_UNREAD:
            await anyio.sleep(0.01)

    async def aclose(self) -> None:
        self.unread.put(b"")

    def finish(self) -> None:
        """Wait until all is written, as long as the client reads."""
        unread = -1
        while self.writer.is_alive() and unread != (unread := self.unread.qsize()):
            self.writer.join(LINE_SECONDS)


def message_in(line: bytes) -> JSONRPCMessage | None:
    """Return the message in a line, or None for anything else."""
    try:
        return jsonrpc_message_adapter.validate_python(from_json(line), by_name=False)
    except ValueError:
        if not line.isspace():
            logger.warning("dropped a line that is no message: %r", line[:200])
        return None


def has_hung_up(stream: BinaryIO) -> bool:
    """Return whether all writers of a pipe have gone, also before it is read to its end."""
    if sys.platform == "win32":
        return False
    poll = select.poll()
    poll.register(stream, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))
