"""Run a server that a command starts, with a limit on what it sends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

import anyio
from anyio.abc import Process

MAX_MESSAGE_BYTES = 32 * 2**20
"""The maximum bytes of a message, and of the server's whole output."""

GRACE = 2.0
"""The seconds that the server has to exit by itself."""


class TooMuchError(Exception):
    """The server sent more than `MAX_MESSAGE_BYTES` bytes."""


@asynccontextmanager
async def running(
    command: Sequence[str],
    log: IO[bytes] | None,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> AsyncGenerator[Process]:
    """Run a command, then end it and its child processes; its standard error goes to `log`.

    By default it gets the whole environment, as in the shell that it was typed in. Raises OSError
    if it cannot be started.
    """
    process = await anyio.open_process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=folder,
        env=env,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with anyio.CancelScope(shield=True):
            await _stop(process)


async def lines(process: Process) -> AsyncIterator[bytes]:
    """Yield the lines of its standard output, without line ends.

    Raises TooMuchError after `MAX_MESSAGE_BYTES` bytes.
    """
    assert process.stdout
    line, total = bytearray(), 0
    async for chunk in process.stdout:
        total += len(chunk)
        if total > MAX_MESSAGE_BYTES:
            raise TooMuchError(f"it sent more than {MAX_MESSAGE_BYTES // 2**20} MB")
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield bytes(line + part)
            line.clear()
        line += rest
    if line:
        yield bytes(line)


def end_of(log: IO[bytes]) -> str:
    """Return the last lines of what a server wrote to its log, on one line."""
    log.seek(0, 2)
    log.seek(max(0, log.tell() - 4000))
    lines = [line.strip() for line in log.read().decode(errors="replace").splitlines()]
    return " ⏎ ".join([*filter(None, lines)][-4:])


async def _stop(process: Process) -> None:
    """End the server: close its input, then kill it and its child processes."""
    with suppress(OSError):
        if process.stdin:
            await process.stdin.aclose()
    with anyio.move_on_after(GRACE):
        await process.wait()
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    await process.aclose()
