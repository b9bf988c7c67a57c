# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Threads for plain `def` handlers, so that they do not block others."""

import asyncio
import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread

from everything._generated.limits import Limits

# How many plain handlers run at once, including those whose call has timed out.
THREADS = Limits.from_environment().threads
# How many seconds a call waits for a thread when all are busy.
PATIENCE = 10.0

SLOTS = anyio.CapacityLimiter(THREADS)
UNLIMITED = anyio.CapacityLimiter(math.inf)


class NoThread(Exception):
    """All threads are busy."""


async def run_in_thread(handler: Callable[..., Any], *arguments: Any) -> Any:
    """Run a plain handler; its slot is free again when the thread is done with it.

    A call can be given up, a thread cannot be stopped: a slot that went back with the
    call would let timed-out calls pile up threads without end.
    """
    slot = await take_slot()
    loop = asyncio.get_running_loop()
    # Whichever ends last gives the slot back. The thread takes a number when it begins
    # and when it ends, the call when it ends; `next` is atomic.
    turns = itertools.count()

    def work() -> Any:
        if next(turns) > 0:
            return None  # The call was given up before the thread began.
        try:
            return handler(*arguments)
        except GeneratorExit as error:
            # It would close the coroutines that wait for it, not be raised in them.
            raise RuntimeError("GeneratorExit in a thread") from error
        finally:
            if next(turns) == 2:
                with suppress(RuntimeError):  # The server has ended in the meantime.
                    loop.call_soon_threadsafe(SLOTS.release_on_behalf_of, slot)

    try:
        return await anyio.to_thread.run_sync(
            work, abandon_on_cancel=True, limiter=UNLIMITED
        )
    finally:
        if next(turns) != 1:
            SLOTS.release_on_behalf_of(slot)


async def take_slot() -> object:
    """Wait for a slot, for at most half of the call's time: the handler needs the rest."""
    slot = object()
    with suppress(anyio.WouldBlock):
        SLOTS.acquire_on_behalf_of_nowait(slot)
        return slot
    left = anyio.current_effective_deadline() - anyio.current_time()
    try:
        with anyio.fail_after(min(PATIENCE, left / 2)):
            await SLOTS.acquire_on_behalf_of(slot)
    except TimeoutError:
        raise NoThread(f"all {THREADS} threads are busy") from None
    return slot
