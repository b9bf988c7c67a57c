"""A transport to the server that a command starts, with a limit on its messages."""

import asyncio
import json
import logging
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

logger = logging.getLogger(__name__)

Streams = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception],
    MemoryObjectSendStream[SessionMessage],
]

MAX_BYTES = 32 * 1024 * 1024
# Seconds for the server to end by itself, and again after a signal.
SECONDS = 2.0


@asynccontextmanager
async def started(
    command: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> AsyncGenerator[Streams, None]:
    """Start a command and yield the streams of its messages, and end it afterwards.

    `env` is added to basic variables such as PATH. Fails if a message cannot be read.
    """
    process = await asyncio.create_subprocess_exec(
        shutil.which(command) or command,
        *args,
        stdin=PIPE,
        stdout=PIPE,
        env={**get_default_environment(), **(env or {})},
        limit=MAX_BYTES,
        start_new_session=True,
    )
    received, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, to_send = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive, process, received)
            tasks.start_soon(send, process, to_send, received)
            yield read, write
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await stop(process)


async def receive(
    process: Process, received: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    assert process.stdout
    async with received:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            while line := await process.stdout.readline():
                if found := message(line.decode(errors="replace")):
                    await received.send(found)


async def send(
    process: Process,
    to_send: MemoryObjectReceiveStream[SessionMessage],
    received: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    assert process.stdin
    async with to_send, received:  # Who cannot be asked does not answer either.
        with suppress(OSError):
            async for one in to_send:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(text.encode() + b"\n")
                await process.stdin.drain()


def message(line: str) -> SessionMessage | None:
    """Return the message in a line, or None for other output.

    An error takes the place of a broken answer. Raises ValueError where one may be lost
    that no request can be named for.
    """
    try:
        return SessionMessage(
            types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        )
    except ValueError:
        logger.warning("not JSON-RPC: %r", line.rstrip()[:200])
    failure = types.ErrorData(
        code=types.INTERNAL_ERROR, message="the answer is not JSON-RPC"
    )
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        if '"jsonrpc"' in line:
            raise ValueError("a message is not JSON") from None
        return None
    match found:
        case {"id": int(key), "jsonrpc": _} | {"id": int(key), "result": _}:
            return SessionMessage(
                types.JSONRPCError(jsonrpc="2.0", id=key, error=failure)
            )
        case _:  # For example a line of the server's log.
            return None


async def stop(process: Process) -> None:
    """Close the server's input, and if it goes on, end it and all that it started."""
    assert process.stdin
    process.stdin.close()
    with anyio.move_on_after(SECONDS):
        await process.wait()
    if sys.platform == "win32":
        with suppress(ProcessLookupError):
            process.kill()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with anyio.move_on_after(SECONDS):
            await process.wait()
