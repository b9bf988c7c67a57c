"""Handlers: what they get, how they are run, and what clients learn when they fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from contextvars import copy_context
from inspect import isawaitable
from typing import Any, Generic, TypeVar

from .lifespan import by_hand
from .protocol import MCPError, Request, Unfinished, logger, reference

Shared = TypeVar("Shared")
T = TypeVar("T")


class ToolError(Exception):
    """A call failed for a reason that the client should read."""


class InternalError(ToolError):
    """A call failed for a reason that is in the log."""


class NotWritten(ToolError):
    """What a new handler raises until somebody writes it."""

    def __init__(self) -> None:
        super().__init__("This is not written yet")


class BaseContext(Generic[Shared]):
    """What a handler gets besides its arguments.

    A plain `def` waits for what it awaits elsewhere: `context.wait(context.progress(1))`.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        """The request: its `meta`, and the client's `capabilities`."""
        self.done = float("-inf")

    @property
    def shared(self) -> Shared:
        """What `lifespan.py` opened."""
        shared: Shared = self.request.server.shared
        return shared

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return what a method of this context returns, in a plain `def`."""
        return by_hand(coroutine)

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report the progress of the call, if the client asked for it."""
        token = self.request.meta.get("progressToken")
        if token is None or done <= self.done:
            return
        self.done = done
        more = {"total": total, "message": message}
        params = {"progressToken": token, "progress": done}
        params |= {key: value for key, value in more.items() if value is not None}
        self.request.notify("notifications/progress", params)


def run(request: Request, handler: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a handler returns: a plain `def` keeps this thread, not those of others."""

    value = copy_context().run(handler, *arguments)
    if not isawaitable(value):
        return value
    if (loop := request.server.loop) is None:
        return by_hand(awaited(value))
    import asyncio

    future = asyncio.run_coroutine_threadsafe(awaited(value), loop)
    request.give_up = future.cancel
    if not request.is_open:
        future.cancel()
    return future.result()


async def awaited(value: Awaitable[Any]) -> Any:
    try:
        return await value
    except SystemExit as error:  # It would end the loop.
        raise RuntimeError("a handler called sys.exit") from error


@contextmanager
def masked(request: Request, name: str) -> Generator[None]:
    """Log failures; of one that nobody foresaw, the client gets only a reference."""
    try:
        yield
    except (Exception, SystemExit, BaseExceptionGroup) as error:
        if declared := declared_in(error):
            raise declared from None
        if not request.is_open:  # It was cancelled, and nobody listens.
            raise ToolError("The call has ended") from None
        logger().exception("%s failed, %s", name, token := reference())
        raise InternalError(f"Internal error, {token}") from error


def declared_in(error: BaseException) -> MCPError | ToolError | Unfinished | None:
    """Return what is for the client, which tasks of a handler may have raised in a group."""
    if isinstance(error, BaseExceptionGroup):
        declared = [declared_in(part) for part in error.exceptions]
        unfinished = (each for each in declared if isinstance(each, Unfinished))
        return next(unfinished, declared[0] if all(declared) else None)
    return error if isinstance(error, MCPError | ToolError | Unfinished) else None
