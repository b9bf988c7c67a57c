"""Fail in a coroutine."""

from crashing._generated.contract import Context, CrashArguments
from crashing.ways import fail_in_task


async def crash(arguments: CrashArguments, context: Context) -> str:
    return await fail_in_task(arguments.how, context)
