"""Fail."""

from crashing._generated.contract import Context, CrashingArguments, ResourceResult
from crashing.ways import fail_in_task


async def crashing(arguments: CrashingArguments, context: Context) -> ResourceResult:
    return await fail_in_task(arguments.how, context)
