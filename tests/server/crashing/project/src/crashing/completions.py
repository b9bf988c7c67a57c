"""Suggestions, which fail too."""

from crashing._generated.contract import CompleteRequestParams, Context
from crashing.ways import fail_in_task


async def complete(params: CompleteRequestParams, context: Context) -> list[str]:
    return [await fail_in_task(params.argument.value, context)]
