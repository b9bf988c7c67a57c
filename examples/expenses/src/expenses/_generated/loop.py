# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The event loop of the server, which a task of a handler cannot stop."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any, TypeVar, cast

if sys.platform == "win32":
    from asyncio import ProactorEventLoop as PlatformEventLoop
else:
    from asyncio import SelectorEventLoop as PlatformEventLoop

logger = logging.getLogger(__name__)

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine as `asyncio.run` does, but on this module's event loop."""
    with asyncio.Runner(loop_factory=EventLoop) as runner:
        return runner.run(main)


class EventLoop(PlatformEventLoop):
    """Keeps running when a task other than the main one calls `sys.exit`.

    asyncio raises SystemExit and KeyboardInterrupt of any task from the loop itself,
    where nothing around the task can catch them.
    """

    def run_until_complete(self, future: Generator[Any, None, T] | Awaitable[T]) -> T:
        main = cast("Awaitable[T]", future)  # Since Python 3.12, it is nothing else.
        while True:
            try:
                return super().run_until_complete(main)
            except (KeyboardInterrupt, SystemExit):
                if not isinstance(main, asyncio.Task) or main.done():
                    raise
                # Ctrl-C cancels the main task, and is raised only the second time.
                if main.cancelling():
                    raise
                logger.exception("A task tried to end the server")
