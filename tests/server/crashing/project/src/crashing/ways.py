"""The ways in which handlers fail, in a plain function and in a coroutine."""

import asyncio
import logging
import sys
from typing import cast

import anyio
from crashing._generated.client import Unanswered
from crashing._generated.contract import Context, MCPError, ResourceNotFound, ToolError
from pydantic import BaseModel


class Form(BaseModel):
    day: str


class Odd(BaseException):
    """Neither an Exception nor one of Python's own."""


class Untellable(ToolError):
    """An error whose text cannot be made."""

    def __str__(self) -> str:
        raise Odd("a secret")


class Numbered(ToolError):
    """An error whose text is none."""

    def __str__(self) -> str:
        return cast(str, 7)


class Circular(ToolError):
    """An error whose text is the same error again."""

    def __str__(self) -> str:
        raise self


def fail(how: str) -> str:
    match how:
        case "base exception":
            raise Odd("a secret")
        case "exit":
            sys.exit("a secret")
        case "interrupt":
            raise KeyboardInterrupt("a secret")
        case "generator exit":
            raise GeneratorExit("a secret")
        case "cancelled":
            raise asyncio.CancelledError("a secret")
        case "group":
            raise BaseExceptionGroup("secrets", [ValueError("a secret"), Odd()])
        case "nested group":
            inner = BaseExceptionGroup("secrets", [SystemExit(3), KeyboardInterrupt()])
            raise BaseExceptionGroup("secrets", [ValueError("a secret"), inner])
        case "cancelled group":
            raise BaseExceptionGroup("secrets", [asyncio.CancelledError(), Odd()])
        case "error that cannot be told":
            raise Untellable
        case "error whose text is a number":
            raise Numbered
        case "error whose text is the error":
            raise Circular
        case "error that cannot be told in a group":
            raise ExceptionGroup("secrets", [ToolError("a secret"), Untellable()])
        case "error beside a failure":
            raise ExceptionGroup(
                "secrets", [ToolError("a secret"), ValueError("a secret")]
            )
        case "object in a protocol error in a group":
            raise ExceptionGroup("secrets", [MCPError(-32000, "a secret", object())])
        case "groups without end":
            error: Exception = ToolError("a secret")
            for _ in range(5000):
                error = ExceptionGroup("secrets", [error])
            raise error
        case "error in a group":
            raise ExceptionGroup(
                "one", [ExceptionGroup("one", [ToolError("the disk is full")])]
            )
        case "errors in a group":
            errors = [ToolError(text) for text in ("no paper", "no ink", "no paper")]
            raise ExceptionGroup("both", errors)
        case "error beside a cancellation":
            both = [asyncio.CancelledError(), ToolError("the disk is full")]
            raise BaseExceptionGroup("both", both)
        case "protocol error in a group":
            raise ExceptionGroup("one", [MCPError(-32099, "not today")])
        case "nothing found in a group":
            raise ExceptionGroup("both", [ResourceNotFound(), ResourceNotFound()])
        case "not found":
            raise ResourceNotFound
        case "object in a protocol error":
            raise MCPError(-32000, "a secret", object())
        case "surrogate in a protocol error":
            raise MCPError(-32000, "a secret \udc80")
        case "wrong arguments of a log message":
            logging.getLogger(__name__).info("%d", how)
        case "surrogate in an error":
            raise ToolError("cannot open caf\udce9")
    if how.startswith("say"):
        raise ValueError(how)
    return "did not fail"


async def fail_in_task(how: str, context: Context) -> str:
    match how:
        case "exit in an awaited task":
            await asyncio.create_task(exits())
        case "exit in gather":
            await asyncio.gather(exits(), asyncio.sleep(0.01))
        case "exit in a group of asyncio":
            async with asyncio.TaskGroup() as group:
                group.create_task(exits())
        case "exit in a group of anyio":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(exits)
        case "interrupt in a group of anyio":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(interrupts)
        case "exit in a forgotten task":
            context.shared.tasks.append(asyncio.create_task(exits()))
            await asyncio.sleep(0.01)
        case "interrupt in a forgotten task":
            context.shared.tasks.append(asyncio.create_task(interrupts()))
        case "exit in a callback":
            asyncio.get_running_loop().call_soon(sys.exit, "a secret")
            await asyncio.sleep(0.01)
        case "generator exit in an awaited task":
            await asyncio.create_task(generator_exits())
        case "generator exit in an awaited task before more":
            try:
                await asyncio.create_task(generator_exits())
            finally:
                await asyncio.sleep(0.01)
        case "generator exit in a thread of asyncio":
            await asyncio.to_thread(fail, "generator exit")
        case "base exception in an awaited task":
            await asyncio.create_task(asyncio.to_thread(fail, "base exception"))
        case "error in a group of asyncio":
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.to_thread(fail, "surrogate in an error"))
                group.create_task(asyncio.sleep(60))
        case "exit in a thread of asyncio":
            await asyncio.to_thread(sys.exit, "a secret")
        case "cancels itself":
            task = asyncio.current_task()
            assert task
            task.cancel()
            await asyncio.sleep(1)
        case "surrogate in a log message":
            await context.log.error("caf\udce9")
        case "surrogate in progress":
            await context.progress(1, 2, "caf\udce9")
        case "question in a group":
            async with asyncio.TaskGroup() as group:
                group.create_task(context.elicit("When?", Form))
                group.create_task(asyncio.sleep(0.01))
        case "question beside a failure":
            raise BaseExceptionGroup(
                "both", [BaseExceptionGroup("one", [Unanswered("day")]), Odd()]
            )
        case _:
            return fail(how)
    return "did not fail"


async def exits() -> None:
    await asyncio.sleep(0)
    sys.exit("a secret")


async def interrupts() -> None:
    await asyncio.sleep(0)
    raise KeyboardInterrupt("a secret")


async def generator_exits() -> None:
    await asyncio.sleep(0)
    raise GeneratorExit("a secret")
