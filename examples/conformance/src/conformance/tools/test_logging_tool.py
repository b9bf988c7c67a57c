"""Sends a log message to the clients that asked for it."""

from conformance._generated.contract import (
    Context,
    TestLoggingToolArguments,
    TestLoggingToolResult,
)


async def test_logging_tool(
    arguments: TestLoggingToolArguments,
    context: Context,
) -> TestLoggingToolResult:
    await context.log.info("A client asked to be told of this")
    return "Sent a log message."
