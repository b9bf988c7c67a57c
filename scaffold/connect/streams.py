"""A transport of the SDK to a server that a command starts."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import anyio
from anyio.abc import Process
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from scaffold.connect.process import lines, running


class EndedError(Exception):
    """The server ended, or closed its output; the text ends a sentence about it."""


@asynccontextmanager
async def started(
    command: Sequence[str],
    log: BinaryIO | None,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    stray: Callable[[int, bytes], None] = lambda number, line: None,
) -> AsyncGenerator[TransportStreams]:
    """Start a command and yield the streams of its messages; its standard error goes to `log`.

    By default it gets the whole environment, as in the shell that it was typed in. `stray` gets the
    number and the text of each line of its output that is no message. Raises OSError if it cannot
    be started, and EndedError if it ends meanwhile.
    """
    received, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, to_send = anyio.create_memory_object_stream[SessionMessage](0)

    async def receive(process: Process) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with received:
                number = 0
                async for line in lines(process):
                    number += 1
                    message = _message(line)
                    if message is None and line.strip():
                        stray(number, line)
                        message = _in_place_of(line)
                    if message:
                        await received.send(message)
                with anyio.move_on_after(1):
                    await process.wait()
                code = process.returncode
                raise EndedError(
                    "closed its output" if code is None else f"ended with exit code {code}"
                )

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
    """Return the message in a line, or None for other output."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


def _in_place_of(line: bytes) -> SessionMessage | None:
    """Return an error in place of a broken answer, or None for a line that is none.

    Raises ValueError where an answer may be lost, and nobody knows to which request.
    """
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
