"""A transport of the SDK to a server that a command starts."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import anyio
from anyio.abc import Process
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from scaffold.connect.process import lines, running


@asynccontextmanager
async def started(
    command: Sequence[str],
    log: BinaryIO | None,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> AsyncGenerator[TransportStreams]:
    """Start a command and yield the streams of its messages; its standard error goes to `log`.

    By default it gets the whole environment, as in the shell that it was typed in. Raises OSError
    if it cannot be started.
    """
    received, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, to_send = anyio.create_memory_object_stream[SessionMessage](0)

    async def receive(process: Process) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with received:
                async for line in lines(process):
                    if message := _message(line):
                        await received.send(message)

    async def send(process: Process) -> None:
        assert process.stdin
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            async with to_send:
                async for message in to_send:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.stdin.send(text.encode() + b"\n")

    program = shutil.which(command[0]) or command[0]
    async with (
        received,
        read,
        write,
        to_send,
        running([program, *command[1:]], log, folder, env) as process,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(receive, process)
        tasks.start_soon(send, process)
        try:
            yield read, write
        finally:
            tasks.cancel_scope.cancel()


def _message(line: bytes) -> SessionMessage | None:
    """Return the message in a line, an error in place of a broken answer, or None for other output.

    Raises ValueError where an answer may be lost, and nobody knows to which request.
    """
    with suppress(ValueError):
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    failure = ErrorData(code=INTERNAL_ERROR, message="its answer is not JSON-RPC")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        if b'"jsonrpc"' in line:
            raise ValueError("it sent a message that is not JSON") from None
        return None
    match found:
        case {"id": int(key), "jsonrpc": _} | {"id": int(key), "result": _}:
            return SessionMessage(JSONRPCError(jsonrpc="2.0", id=key, error=failure))
        case _:
            return None
