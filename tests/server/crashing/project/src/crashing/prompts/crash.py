"""Fail."""

from crashing._generated.contract import Context, CrashPromptArguments, PromptResult
from crashing.ways import fail_in_task


async def crash(arguments: CrashPromptArguments, context: Context) -> PromptResult:
    return await fail_in_task(arguments.how, context)
