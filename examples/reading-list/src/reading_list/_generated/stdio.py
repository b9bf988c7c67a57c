# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The stdio transport: one client on standard input and output, a message a line."""

import asyncio
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

import anyio
import mcp_types as types
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from reading_list._generated.limits import Limits

logger = logging.getLogger(__name__)

LIMITS = Limits.from_environment()
# Seconds that requests may still take at the end of the input.
GRACE = 0.5

PARSE_ERROR = b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'
INVALID_REQUEST = (
    b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"}}'
)
TOO_LONG = (
    b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"The message is too long"}}'
)


async def serve() -> int:
    """Serve until the input ends or a signal stops the server; return the exit code."""
    stdin, stdout = claim_standard_streams()
    # Only now, so that not even a print at import time can reach the client.
    from reading_list._generated.server import create_server

    await serve_client(create_server(), stdin, stdout)
    return 0


def claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Reserve the client's pipes for the protocol; all other output goes to stderr."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return stdin, stdout


def lines_of(stdin: BinaryIO) -> Iterator[bytes]:
    """Yield each line, and only the beginning of one that is too long."""
    while line := stdin.readline(LIMITS.message_size):
        yield line
        while is_beginning(line):
            line = stdin.readline(LIMITS.message_size)


def is_beginning(line: bytes) -> bool:
    return len(line) == LIMITS.message_size and not line.endswith(b"\n")


def encoded(message: types.JSONRPCMessage) -> bytes:
    """Return the message as JSON, with `?` for what UTF-8 cannot encode."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except PydanticSerializationError:
        value = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return json.dumps(value, ensure_ascii=False).encode(errors="replace")


class Incoming(ObjectReceiveStream[SessionMessage]):
    """What the client has sent, as the SDK reads it."""

    def __init__(self) -> None:
        self.messages = asyncio.Queue[SessionMessage | None]()

    def put(self, message: SessionMessage) -> None:
        self.messages.put_nowait(message)

    def end(self) -> None:
        self.messages.put_nowait(None)

    async def receive(self) -> SessionMessage:
        if message := await self.messages.get():
            return message
        self.end()  # Whoever reads on finds the end as well.
        raise anyio.EndOfStream

    async def aclose(self) -> None:
        self.end()


class Outgoing(ObjectSendStream[SessionMessage]):
    """Where the SDK sends what the client is to get: lines that a thread writes."""

    def __init__(self, lines: SimpleQueue[bytes]) -> None:
        self.lines = lines
        self.answered = 0

    async def send(self, item: SessionMessage) -> None:
        self.lines.put(encoded(item.message))
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            self.answered += 1
        else:
            await asyncio.sleep(0)  # Who tells a lot lets others have their turn.

    async def aclose(self) -> None:
        self.lines.put(b"")


def schedule(seconds: float, function: Callable[[Any], object], argument: Any) -> None:
    """Call a function later, even if something blocks the event loop by then."""
    timer = threading.Timer(seconds, function, [argument])
    timer.daemon = True
    timer.start()


async def serve_client(server: Server[Any], stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve the client whose messages come on `stdin`, answering on `stdout`.

    Plain threads read and write the lines: unlike the SDK's own, they never delay a
    signal, and take no thread from the handlers.
    """
    loop = asyncio.get_running_loop()
    lines = SimpleQueue[bytes]()
    incoming, outgoing = Incoming(), Outgoing(lines)
    serving = anyio.CancelScope()
    input_ended = anyio.Event()
    asked = 0

    def read_lines() -> None:
        with suppress(RuntimeError):  # The loop is closed: the server has ended.
            for line in lines_of(stdin):
                loop.call_soon_threadsafe(receive, line)
            loop.call_soon_threadsafe(input_ended.set)

    def receive(line: bytes) -> None:
        nonlocal asked
        if is_beginning(line):
            lines.put(TOO_LONG)
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            if line.strip():
                is_json = error.errors()[0]["type"] != "json_invalid"
                lines.put(INVALID_REQUEST if is_json else PARSE_ERROR)
            return
        if isinstance(message, types.JSONRPCNotification) and "id" in json.loads(line):
            lines.put(INVALID_REQUEST)  # Its id is neither text nor an integer.
            return
        asked += isinstance(message, types.JSONRPCRequest)
        incoming.put(SessionMessage(message))

    def write_lines() -> None:
        # An error says that the client has gone; the end of its input follows.
        with suppress(OSError), stdout:
            for line in iter(lines.get, b""):
                stdout.write(line + b"\n")
                if lines.empty():
                    stdout.flush()

    def stop() -> None:
        """Let the server close; a lifespan that hangs is cancelled, then abandoned."""
        incoming.end()
        schedule(LIMITS.stop_time, cancel, "The lifespan does not close")
        schedule(LIMITS.stop_time + GRACE, os._exit, 1)

    def cancel(reason: str) -> None:
        logger.error(reason)
        with suppress(RuntimeError):  # The loop is closed by now.
            loop.call_soon_threadsafe(serving.cancel)

    async def stop_at_end_of_input() -> None:
        await input_ended.wait()
        with anyio.move_on_after(GRACE):
            while outgoing.answered < asked:
                await anyio.sleep(0.01)
        stop()

    async def stop_at_signal() -> None:
        if sys.platform != "win32":
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    stop()

    writer = threading.Thread(target=write_lines, daemon=True)
    writer.start()
    threading.Thread(target=read_lines, daemon=True).start()
    async with anyio.create_task_group() as watchers:
        watchers.start_soon(stop_at_end_of_input)
        watchers.start_soon(stop_at_signal)
        options = server.create_initialization_options()
        with serving:
            await server.run(incoming, outgoing, options)
        watchers.cancel_scope.cancel()
    await outgoing.aclose()
    writer.join(timeout=GRACE)
