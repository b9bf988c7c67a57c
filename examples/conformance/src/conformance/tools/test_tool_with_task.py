"""Asks for the user's name, and greets the user in a task."""

import asyncio

from conformance._generated.contract import (
    Context,
    TestToolWithTaskArguments,
    TestToolWithTaskResult,
)
from conformance.forms import Name


async def test_tool_with_task(
    arguments: TestToolWithTaskArguments,
    context: Context,
) -> TestToolWithTaskResult:
    answer = await context.elicit("What is your name?", Name, name="user_name")
    await context.start_task()
    await asyncio.sleep(0.1)
    return f"Hello, {answer.name}!" if isinstance(answer, Name) else "Hello!"
