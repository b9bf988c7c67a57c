"""Suggestions, which fail too."""

from mcp_types import CompleteRequestParams

from crashing._generated.contract import Context
from crashing.ways import fail_in_task


async def complete(params: CompleteRequestParams, context: Context) -> list[str]:
    return [await fail_in_task(params.argument.value, context)]
