"""Coroutines, run to their end: in an event loop, or without one where none is needed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
# Seconds between two looks at whether a signal has come.
MOMENT = 0.5
HINT = "what needs an event loop must import asyncio at the top of a module"


class Loop:
    """The event loop, in a thread of its own."""

    def __init__(self) -> None:
        self.loop: Any = None

    def start(self) -> None:
        """Start it if the server has imported asyncio, or a package that may need it."""
        known = {*sys.stdlib_module_names, __name__.partition(".")[0]}
        others = {name.partition(".")[0] for name in sys.modules} - known
        if "asyncio" in sys.modules or any(name[0] != "_" for name in others):
            import asyncio

            self.loop = asyncio.new_event_loop()
            threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:  # If a handler stops it, others still need it.
            self.loop.run_forever()

    def run(
        self,
        coroutine: Coroutine[Any, Any, T],
        until: Callable[[Callable[[], object]], object],
    ) -> T:
        """Return what a coroutine returns; `until` gets what cancels it."""
        if self.loop is None:
            return by_hand(coroutine)
        import asyncio

        future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        until(future.cancel)
        return future.result()


LOOP = Loop()


def by_hand(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that waits for nothing but this thread."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    except RuntimeError as error:
        if LOOP.loop is None and "asyncio" in sys.modules:
            error.add_note(HINT)
        raise
    coroutine.close()
    raise RuntimeError(HINT)


def running_loop() -> Any:
    """Return the event loop of this thread, or None if it runs none."""
    if asyncio := sys.modules.get("asyncio"):
        try:
            return asyncio.get_running_loop()
        except RuntimeError:
            pass
    return None


async def in_thread(function: Callable[[], T]) -> T:
    """Return what a function returns that takes its time, and keep no event loop waiting."""
    if loop := running_loop():
        value: T = await loop.run_in_executor(None, function)
        return value
    return function()


def live(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run what lasts as long as the server: in the event loop, if there is to be one."""
    LOOP.start()
    if LOOP.loop is None:
        by_hand(coroutine)
        return
    import asyncio

    life = asyncio.run_coroutine_threadsafe(coroutine, LOOP.loop)
    while not life.done():  # A signal must find this thread awake now and then.
        with suppress(TimeoutError):
            life.result(MOMENT)
    life.result()
