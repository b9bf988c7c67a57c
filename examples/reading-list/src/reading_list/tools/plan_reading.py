"""Tell on how many evenings a book of so many pages is read."""

from mcp_types import CallToolResult

from reading_list._generated.contract import Context
from reading_list._generated.models import PlanReadingArguments


async def plan_reading(
    arguments: PlanReadingArguments, context: Context
) -> CallToolResult:
    return await context.shared.upstream.call_tool("plan_reading", context)
