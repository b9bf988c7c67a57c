"""How handlers run, and what their failures become."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import TextContent

from templates.python.runtime.handlers import (
    BaseContext,
    Calls,
    InternalError,
    NotWritten,
    ToolError,
    masked,
)
from tests.runtime.serving import context_of, server_of
from tests.waiting import WITHIN, wait_until

pytestmark = pytest.mark.anyio

MASKED = re.compile(r"Internal error, reference [0-9a-f]{8}")


async def test_the_server_answers_in_time_for_a_handler_that_swallows_its_cancellation() -> None:
    let_go = asyncio.Event()

    async def stubborn(context: BaseContext[None]) -> None:
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await let_go.wait()

    with pytest.raises(ToolError, match=r"^The call took longer than 0\.1 seconds$"):
        await Calls().run(stubborn, context=context_of(), timeout=0.1)
    let_go.set()


async def test_a_cancelled_call_gets_time_to_clean_up() -> None:
    events: list[str] = []

    async def tidy(context: BaseContext[None]) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            events.append("tidied")

    with anyio.move_on_after(0.05):
        await Calls().run(tidy, context=context_of())
    assert events == ["tidied"]


async def test_a_plain_function_runs_in_a_thread_and_does_not_block_others() -> None:
    let_go = threading.Event()

    def block(context: BaseContext[None]) -> str:
        let_go.wait(WITHIN)
        return threading.current_thread().name

    async def quick(context: BaseContext[None]) -> str:
        let_go.set()
        return threading.current_thread().name

    calls = Calls()
    blocked = asyncio.create_task(calls.run(block, context=context_of()))
    await asyncio.sleep(0)
    assert await calls.run(quick, context=context_of()) == "MainThread"
    assert (await blocked).startswith("handler")


class Argument:
    """What a call holds in memory."""


async def test_a_thread_that_outlives_its_call_keeps_its_slot_until_it_ends() -> None:
    let_go = threading.Event()
    ran: list[int] = []

    def block(argument: Argument, context: BaseContext[None]) -> None:
        ran.append(1)
        let_go.wait(WITHIN)

    async def given_up() -> weakref.ref[Argument]:
        argument = Argument()
        with pytest.raises(ToolError, match="took longer"):
            await calls.run(block, argument, context=context_of(), timeout=0.05)
        return weakref.ref(argument)

    calls = Calls(threads=2)
    arguments = [await given_up() for _ in range(5)]
    await asyncio.to_thread(wait_until, lambda: len(ran) == 2)
    gc.collect()
    assert len([argument for argument in arguments if argument()]) == 2
    let_go.set()
    await calls.run(block, Argument(), context=context_of(), timeout=WITHIN)
    assert len(ran) == 3


async def test_calls_get_threads_in_order_of_arrival() -> None:
    ran: list[int] = []

    def work(number: int, context: BaseContext[None]) -> None:
        ran.append(number)
        time.sleep(0.002)

    calls = Calls(threads=2)
    async with anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(partial(calls.run, work, number, context=context_of()))
            await anyio.sleep(0.001)
    assert max(abs(place - number) for place, number in enumerate(ran)) <= 2


async def test_a_call_that_only_reports_progress_ends_when_it_is_cancelled() -> None:
    """Also where nobody asked for progress, and so nothing is sent."""
    steps = iter(range(100_000))

    async def work(arguments: Any, context: BaseContext[None]) -> str:
        for step in steps:
            await context.progress(step, 100_000)
        return "all of it"

    async with Client(server_of(work)) as client:
        with anyio.move_on_after(0.1) as scope:
            await client.call_tool("work", {})
        assert scope.cancelled_caught
        await anyio.sleep(0.1)
        assert next(steps, None) is not None


async def test_a_plain_function_reports_progress_by_its_context() -> None:
    def work(arguments: Any, context: BaseContext[None]) -> str:
        context.wait(context.progress(1, 2, "half"))
        return "done"

    reports: list[tuple[float, float | None, str | None]] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    for mode in ("legacy", "auto"):
        async with Client(server_of(work), mode=mode) as client:
            result = await client.call_tool("work", {}, progress_callback=progress)
        assert result.content == [TextContent(text="done")]
    assert reports == [(1, 2, "half")] * 2


async def test_a_coroutine_behind_a_plain_decorator_is_awaited() -> None:
    def traced(handler: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(handler)
        def call(context: BaseContext[None]) -> Any:
            return handler(context)

        return call

    @traced
    async def hidden(context: BaseContext[None]) -> str:
        return "found"

    assert await Calls().run(hidden, context=context_of()) == "found"


class Odd(BaseException):
    """Neither an Exception nor one of Python's own."""


def stop() -> None:
    raise StopIteration("a secret")


FAILURES: dict[str, Callable[[], None] | BaseException] = {
    "an exception": ValueError("a secret"),
    "a base exception": Odd("a secret"),
    "the end of an iteration": stop,
    "an exit": lambda: sys.exit("a secret"),
    "a stub's error from deeper down": NotImplementedError("a secret"),
    "a timeout of its own": TimeoutError("a secret"),
    "a cancellation that is none": asyncio.CancelledError("a secret"),
    "a group": ExceptionGroup("secrets", [ValueError("a secret")]),
    "a group beside what was meant": ExceptionGroup("both", [ToolError("a"), ValueError("b")]),
}


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("failure", FAILURES)
async def test_a_failure_is_masked_and_its_reference_leads_to_the_log(
    failure: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(context: BaseContext[None]) -> None:
        how = FAILURES[failure]
        if isinstance(how, BaseException):
            raise how
        how()

    async def fail_later(context: BaseContext[None]) -> None:
        await asyncio.sleep(0)
        fail(context)

    handler = fail_later if kind == "async def" else fail
    with pytest.raises(InternalError, match=MASKED) as raised, masked("tool"):
        await Calls().run(handler, context=context_of())
    reference = str(raised.value).split()[-1]
    [record] = caplog.records
    assert (record.levelname, record.message) == ("ERROR", f"tool failed, reference {reference}")
    assert record.exc_info


MEANT: dict[str, BaseException] = {
    "no paper": ToolError("no paper"),
    "This is not written yet": NotWritten(),
    "not today": MCPError(-32099, "not today"),
    "in a group": ExceptionGroup("one", [ExceptionGroup("one", [ToolError("in a group")])]),
    "first": ExceptionGroup("two", [ToolError("first"), ToolError("second")]),
}


@pytest.mark.parametrize("text", MEANT)
async def test_an_intended_error_reaches_the_client(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises((ToolError, MCPError)) as raised, masked("tool"):
        raise MEANT[text]
    assert str(raised.value) == text
    [record] = caplog.records
    assert record.levelname == "INFO"
    assert not record.exc_info


async def test_the_cause_of_an_intended_error_is_logged_at_debug_level(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)

    def fail() -> None:
        raise ToolError("The service is down") from OSError("the cause")

    with pytest.raises(ToolError), masked("tool"):
        fail()
    assert "OSError: the cause" in caplog.text
    assert [record.levelname for record in caplog.records if record.exc_info] == ["DEBUG"]


async def test_a_cancelled_call_is_not_logged_as_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def wait() -> None:
        with masked("tool"):
            await asyncio.sleep(60)

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert caplog.records == []
