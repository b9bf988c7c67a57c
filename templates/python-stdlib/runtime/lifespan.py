"""Coroutines, run to their end: in an event loop, or without one where none is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
# Seconds between two looks at whether a signal has come.
MOMENT = 0.5
HINT = "only an async def has an event loop, and must import asyncio at the top of a module"


def live(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run what lasts as long as the server, in an event loop if handlers may need one.

    They may if the server has imported asyncio, or a package that can do so later.
    """
    known = {*sys.stdlib_module_names, __name__.partition(".")[0]}
    others = {name.partition(".")[0] for name in sys.modules} - known
    if "asyncio" not in sys.modules and all(name[0] == "_" for name in others):
        by_hand(coroutine)
        return
    import asyncio

    loop = asyncio.new_event_loop()

    def wake() -> None:  # A signal must find this thread awake now and then.
        loop.call_later(MOMENT, wake)

    wake()
    loop.run_until_complete(coroutine)


def by_hand(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that waits for nothing but this thread."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    except RuntimeError as error:
        if "asyncio" in sys.modules:
            error.add_note(HINT)
        raise
    coroutine.close()
    raise RuntimeError(HINT)


def running_loop() -> Any:
    """Return the event loop of this thread, or None if it runs none."""
    if asyncio := sys.modules.get("asyncio"):
        with suppress(RuntimeError):
            return asyncio.get_running_loop()
    return None


async def in_thread(function: Callable[[], T]) -> T:
    """Return what a function returns that takes its time, and keep no event loop waiting."""
    if loop := running_loop():
        value: T = await loop.run_in_executor(None, function)
        return value
    return function()
