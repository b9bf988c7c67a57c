"""Returns one line of text."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestSimpleTextArguments


async def test_simple_text(
    arguments: TestSimpleTextArguments,
    context: Context,
) -> ToolResult:
    return "This is a simple text response for testing."
