# Copyright Acme Ltd. All rights reserved.
"""Handlers: what they are written with, how they run, and what their failures become."""

import asyncio
import contextvars
import inspect
import json
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

import anyio
import anyio.lowlevel
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ConfigDict

logger = logging.getLogger(__name__)

# Seconds for a handler to clean up after its client has cancelled the call.
CLEANING_UP = 1

Shared = TypeVar("Shared")
Value = TypeVar("Value")
Answer = TypeVar("Answer", bound=BaseModel)
Request: TypeAlias = ServerRequestContext[Any]
"""A request to the server, as the SDK sees it."""


class ToolError(Exception):
    """A call failed for a reason that the client should read."""


class NotWritten(ToolError):
    """What a new handler raises until somebody writes it."""

    def __init__(self) -> None:
        super().__init__("This is not written yet")


class InternalError(ToolError):
    """A failure that no other arguments would mend; its text is a reference to the log."""


class Interruption(BaseException):
    """Ends a handler that will be started again. Handlers must not catch it."""


MEANT = (Interruption, MCPError, ToolError)
"""What handlers raise for the client to get."""


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )

    faults: ClassVar[Callable[[object], list[str]]]
    """What is wrong with arguments of a tool, by its schema: `/day: …` for each fault."""

    @classmethod
    def of_client(cls, value: object) -> Self:
        """Return a model of JSON whose schema was checked.

        By alias alone: the schema has not seen a property called as our attribute is.
        """
        return cls.model_validate(value, by_alias=True, by_name=False)


@dataclass(frozen=True)
class BaseContext(Generic[Shared]):
    """What a handler gets besides its arguments."""

    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""
    loop: asyncio.AbstractEventLoop = field(
        default_factory=asyncio.get_running_loop, init=False, repr=False
    )

    @property
    def shared(self) -> Shared:
        """What `lifespan.py` opened."""
        return self.request.lifespan_context

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report the progress of the call, if the client asked for it.

        A call that the client has cancelled ends here.
        """
        await self.request.session.report_progress(done, total, message)
        # Where nothing is sent, and on fast streams, that lets no cancellation in.
        await anyio.lowlevel.checkpoint()

    def wait(self, awaitable: Coroutine[Any, Any, Value]) -> Value:
        """Await for a plain `def` handler: `context.wait(context.progress(1, 3))`."""
        return asyncio.run_coroutine_threadsafe(awaitable, self.loop).result()

    async def is_in_time(self, work: asyncio.Task[Any], seconds: float) -> bool:
        """Wait for a handler, and return whether it is done within its time."""
        await asyncio.wait([work], timeout=seconds)
        return work.done()


class Calls:
    """Runs handlers: an `async def` one in a task, a plain one in a thread.

    `seconds` is the time of a call that has no other limit. `threads` is how many run at
    once, those whose call has timed out included.
    """

    def __init__(self, seconds: float = 600, threads: int = 128) -> None:
        self.seconds = seconds
        self.slots = asyncio.Semaphore(threads)
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="handler")

    async def run(
        self,
        handler: Callable[..., Any],
        *given: Any,
        context: BaseContext[Any],
        timeout: float | None = None,
    ) -> Any:
        """Return what a handler returns. Raises ToolError when the time is over.

        The caller goes on then, even if the handler does not: it is in a task of its own.
        """
        seconds = timeout or self.seconds
        work = asyncio.create_task(self.work(handler, *given, context))
        try:
            await asyncio.sleep(0)  # A handler that waits for nothing is done by then.
            if not (work.done() or await context.is_in_time(work, seconds)):
                raise ToolError(f"The call took longer than {seconds:g} seconds")
            return work.result()
        except asyncio.CancelledError:
            work.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([work], timeout=CLEANING_UP)
            raise
        finally:
            work.cancel()

    async def work(self, handler: Callable[..., Any], *given: Any) -> Any:
        """Return what a handler returns, whatever time it takes."""
        current_calls.set(self)
        try:
            if inspect.iscoroutinefunction(handler):
                return await handler(*given)
            value = await self.in_thread(partial(handler, *given))
            # A decorator can hide an `async def`.
            return await value if inspect.isawaitable(value) else value
        except SystemExit as error:  # It would end the server, not the call.
            raise RuntimeError("the handler called sys.exit") from error

    async def in_thread(self, function: Callable[[], Any]) -> Any:
        """Run a function in a thread of the pool, where it has a slot until it ends.

        So functions that hang fill the slots, never the memory of the pool's queue.
        """
        await self.slots.acquire()
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()

        def run() -> Any:
            try:
                return context.run(function)
            except StopIteration as error:  # No future can hold it.
                raise RuntimeError("the handler raised StopIteration") from error

        def end(work: Future[Any]) -> None:
            IN_THREADS.discard(work)
            with suppress(RuntimeError):  # The loop is closed: the server has ended.
                loop.call_soon_threadsafe(self.slots.release)

        work = self.pool.submit(run)
        IN_THREADS.add(work)
        work.add_done_callback(end)
        return await asyncio.wrap_future(work)


IN_THREADS = set[Future[Any]]()
"""Functions that run in threads: at the end, they must not keep the process."""
current_calls: contextvars.ContextVar[Calls] = contextvars.ContextVar("current_calls")
"""The calls that a handler is one of: existing functions run in their threads."""


def sendable(result: Answer) -> Answer:
    """Return a result as UTF-8 can encode it. Raises ValueError or TypeError if none can be.

    `?` stands for half a surrogate, as in odd names of files.
    """
    try:
        result.model_dump_json()
    except ValueError:
        data = result.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        return type(result).model_validate_json(text.encode(errors="replace"))
    return result


@contextmanager
def masked(name: str) -> Generator[None]:
    """Let through what a handler meant to raise; log the rest under a reference.

    A handler may raise in a task group, and may meet the cancellation of another task:
    neither must end the connection.
    """
    began = time.monotonic()
    try:
        yield
        logger.debug("%s: done in %.0f ms", name, (time.monotonic() - began) * 1000)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
            raise  # The client or a stop has ended this call.
        meant, faults = BaseExceptionGroup("", [error]).split(MEANT)
        if meant and not faults:
            error = first(meant.subgroup(Interruption) or meant)
            if not isinstance(error, Interruption):
                logger.info("%s: %r", name, error)
                logger.debug("%s", name, exc_info=error)  # With what it came from.
            raise error from None
        reference = secrets.token_hex(4)
        logger.exception("%s failed, reference %s", name, reference)
        raise InternalError(f"Internal error, reference {reference}") from None


def first(error: BaseException) -> BaseException:
    """Return the first error inside nested exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return error
