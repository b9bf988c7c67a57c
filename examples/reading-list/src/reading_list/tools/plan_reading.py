"""Tell on how many evenings a book of so many pages is read."""

from reading_list._generated.contract import (
    CallToolResult,
    Context,
    PlanReadingArguments,
)


async def plan_reading(
    arguments: PlanReadingArguments, context: Context
) -> CallToolResult:
    return await context.shared.upstream.call_tool("plan_reading", context)
