"""Fails after a second."""

import asyncio

from conformance._generated.contract import (
    Context,
    FailingJobArguments,
    FailingJobResult,
    ToolError,
)


async def failing_job(
    arguments: FailingJobArguments,
    context: Context,
) -> FailingJobResult:
    await asyncio.sleep(1)
    raise ToolError("This job always fails")
