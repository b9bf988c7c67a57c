"""Sends three log messages."""

import anyio

from conformance._generated.contract import (
    Context,
    TestToolWithLoggingArguments,
    TestToolWithLoggingResult,
)


async def test_tool_with_logging(
    arguments: TestToolWithLoggingArguments,
    context: Context,
) -> TestToolWithLoggingResult:
    await context.log.info("Tool execution started")
    await anyio.sleep(0.05)
    await context.log.info("Tool processing data")
    await anyio.sleep(0.05)
    await context.log.info("Tool execution completed")
    return "Sent three log messages."
