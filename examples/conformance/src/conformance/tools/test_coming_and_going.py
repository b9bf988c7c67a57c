"""Answers for as long as it is on the list."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestComingAndGoingArguments


async def test_coming_and_going(
    arguments: TestComingAndGoingArguments,
    context: Context,
) -> ToolResult:
    return "Still here."
