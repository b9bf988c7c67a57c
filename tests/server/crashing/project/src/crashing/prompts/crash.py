"""Fail."""

from crashing._generated.contract import Context, PromptResult
from crashing._generated.models import CrashPromptArguments
from crashing.ways import fail_in_task


async def crash(arguments: CrashPromptArguments, context: Context) -> PromptResult:
    return await fail_in_task(arguments.how, context)
