"""Tells its progress in three steps."""

import anyio

from conformance._generated.contract import (
    Context,
    TestToolWithProgressArguments,
    TestToolWithProgressResult,
)


async def test_tool_with_progress(
    arguments: TestToolWithProgressArguments,
    context: Context,
) -> TestToolWithProgressResult:
    await context.progress(0, 100)
    await anyio.sleep(0.05)
    await context.progress(50, 100)
    await anyio.sleep(0.05)
    await context.progress(100, 100)
    return "Told the progress in three steps."
