"""Computes for some seconds."""

import asyncio

from conformance._generated.contract import (
    Context,
    SlowComputeArguments,
    SlowComputeResult,
)


async def slow_compute(
    arguments: SlowComputeArguments,
    context: Context,
) -> SlowComputeResult:
    await context.progress(0, arguments.seconds)
    await asyncio.sleep(arguments.seconds)
    return f"Computed {arguments.label or 'something'}."
