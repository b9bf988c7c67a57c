"""Coroutines, run to their end: in an event loop, or without one where none is needed."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
Lifespan = Callable[[], AbstractAsyncContextManager[Any]]
HINT = "what needs an event loop must import asyncio at the top of a module"
IMPORT = re.compile(
    r"^[ \t]*(?:import|from(?= \w[\w.]* import))[ \t]+(\w+)", re.MULTILINE
)


class Loop:
    """The event loop, in a thread of its own."""

    def __init__(self) -> None:
        self.loop: Any = None

    def start(self) -> None:
        """Start it, unless handlers use nothing but Python's own modules, without asyncio."""
        if "asyncio" in sys.modules or any(map(may_need_loop, [*sys.modules])):
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


def may_need_loop(name: str) -> bool:
    """Return whether a module of handlers imports asyncio or a package, in a function too."""
    package, _, module = name.partition(".")
    if package != __name__.partition(".")[0] or module.startswith("_generated"):
        return False
    loader = getattr(sys.modules[name], "__loader__", None)
    source = getattr(loader, "get_source", None)  # A module may be made by hand.
    imported = {*IMPORT.findall(source(name) or "")} if source else set()
    return not imported <= sys.stdlib_module_names - {"asyncio"} | {package}


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


@contextmanager
def opened(lifespan: Lifespan) -> Generator[Any]:
    """Open what handlers share, and close it: in one task, if there are tasks."""
    LOOP.start()
    if LOOP.loop is None:
        manager = lifespan()
        shared = by_hand(manager.__aenter__())
        try:
            yield shared
        finally:
            by_hand(manager.__aexit__(None, None, None))
        return
    import asyncio

    closing, news = asyncio.Event(), SimpleQueue[Any]()

    async def live() -> None:
        async with lifespan() as shared:
            news.put([shared])
            await closing.wait()

    life = asyncio.run_coroutine_threadsafe(live(), LOOP.loop)
    life.add_done_callback(news.put)
    first = news.get()
    if first is life:
        life.result()  # It raises what has kept the lifespan from opening.
    try:
        yield first[0]
    finally:
        LOOP.loop.call_soon_threadsafe(closing.set)
        life.result()
