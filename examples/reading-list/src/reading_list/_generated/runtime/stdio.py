"""The stdio transport: one client on standard input and output."""

import argparse
import asyncio
import gc
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
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

# With more answers that are not read, or messages that are worked on, the server does
# not read on.
MAX_UNREAD = 64
MAX_AT_WORK = 1000
# Bytes that are written at once, and seconds for the client to read as many at a stop.
CHUNK = 64 * 1024
CHUNK_SECONDS = 0.4


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
            await writer.finish()


class Reader(ObjectReceiveStream[SessionMessage]):
    """Messages, read by a daemon thread: unlike the SDK's, it never keeps the process.

    The thread parses them too, so that a large one does not hold up the event loop.
    """

    def __init__(
        self, stdin: BinaryIO, writer: "Writer", max_size: int, grace_time: float
    ) -> None:
        self.stdin = stdin
        self.writer = writer
        self.max_size = max_size
        self.grace_time = grace_time
        self.messages = asyncio.Queue[tuple[JSONRPCMessage, object] | None]()
        self.loop = asyncio.get_running_loop()
        writer.ended.add_done_callback(lambda _: self.leave())
        threading.Thread(target=self.read, name="stdin", daemon=True).start()

    def read(self) -> None:
        at_work = self.writer.at_work
        with suppress(RuntimeError):  # The loop is closed: the server has ended.
            try:
                for line in self.lines():
                    if (message := message_in(line)) is None:
                        continue
                    key: object = object()
                    if isinstance(message, JSONRPCRequest):
                        key = message.id
                    if key in at_work:
                        logger.warning("dropped a request with the id of another")
                        continue
                    at_work[key] = len(line)
                    self.loop.call_soon_threadsafe(
                        self.messages.put_nowait, (message, key)
                    )
            except OSError:
                pass  # The terminal has gone.
            finally:
                self.leave()

    def lines(self) -> Iterator[bytes]:
        """Yield lines while there is room for them. One that is too long is dropped."""
        while self.has_room() and (line := self.stdin.readline(self.max_size + 1)):
            if len(line) <= self.max_size or line.endswith(b"\n"):
                yield line
                continue
            logger.warning("dropped a message that is too long")
            while line and not line.endswith(b"\n"):
                line = self.stdin.readline(CHUNK)

    def has_room(self) -> bool:
        """Wait until another message fits. Return False if the client has left."""
        deadline = time.monotonic() + self.grace_time
        while self.writer.is_full():
            time.sleep(0.01)
            is_late = time.monotonic() > deadline
            if self.writer.ended.done() or (is_late and has_hung_up(self.stdin)):
                return False
        return True

    def leave(self) -> None:
        """End the messages from another thread, and later the process."""
        end_soon(self.grace_time + EXIT_TIME)
        with suppress(RuntimeError):  # The server has ended.
            self.loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """End the messages, as if the client had closed its end."""
        self.messages.put_nowait(None)

    async def receive(self) -> SessionMessage:
        item = await self.messages.get()
        if item is None:
            self.end()  # Later reads also see the end.
            with anyio.move_on_after(self.grace_time):
                while self.writer.at_work and not self.writer.ended.done():
                    await anyio.sleep(0.01)
            raise anyio.EndOfStream
        message, key = item

        async def settle() -> None:
            self.writer.at_work.pop(key, None)

        if isinstance(message, JSONRPCRequest):
            metadata = ServerMessageMetadata(on_request_unanswered=settle)
            return SessionMessage(message, metadata)
        await settle()
        return SessionMessage(message)

    async def aclose(self) -> None:
        """The thread ends with the process."""


class Writer(ObjectSendStream[SessionMessage]):
    """What the client is to read, written by a daemon thread.

    `at_work` is the bytes of each message at work: of requests, by their ids, until they are
    answered. `ended` is done when the client reads no more.
    """

    def __init__(self, stdout: BinaryIO) -> None:
        self.stdout = stdout
        self.lines = SimpleQueue[bytes]()
        self.at_work = dict[object, int]()
        self.chunks = 0
        self.ended = Future[None]()
        threading.Thread(target=self.write, name="stdout", daemon=True).start()

    def write(self) -> None:
        with suppress(OSError), self.stdout:  # The client has gone.
            for line in iter(self.lines.get, b""):
                for start in range(0, len(line), CHUNK):
                    self.stdout.write(line[start : start + CHUNK])
                    self.chunks += 1
                if self.lines.empty():
                    self.stdout.flush()
        self.ended.set_result(None)

    def is_full(self) -> bool:
        """Return whether nothing more should be read until the client or a handler is."""
        sizes = self.at_work.copy().values()  # Other threads change it.
        return (
            self.lines.qsize() > MAX_UNREAD
            or len(sizes) > MAX_AT_WORK
            or sum(sizes) > MAX_BYTES_AT_WORK
        )

    def put(self, message: JSONRPCMessage) -> None:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        self.lines.put(text.encode() + b"\n")

    async def send(self, item: SessionMessage) -> None:
        self.put(item.message)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self.at_work.pop(item.message.id, None)
        while self.lines.qsize() > MAX_UNREAD:
            await anyio.sleep(0.01)

    async def aclose(self) -> None:
        self.lines.put(b"")

    async def finish(self) -> None:
        """Wait until all is written, as long as the client reads."""
        chunks = -1
        while chunks != (chunks := self.chunks):
            with anyio.move_on_after(CHUNK_SECONDS):
                while not self.ended.done():
                    await anyio.sleep(0.005)


def message_in(line: bytes) -> JSONRPCMessage | None:
    """Return the message in a line, or None for anything else."""
    is_collecting = gc.isenabled()
    gc.disable()  # It would walk through a large value ten times before it is whole.
    try:
        return jsonrpc_message_adapter.validate_python(from_json(line), by_name=False)
    except ValueError:
        if not line.isspace():
            logger.warning("dropped a line that is no message: %r", line[:200])
        return None
    finally:
        if is_collecting:
            gc.enable()


def has_hung_up(stream: BinaryIO) -> bool:
    """Return whether all writers of a pipe have gone, also before it is read to its end."""
    if sys.platform == "win32":
        return False
    poll = select.poll()
    poll.register(stream, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))
