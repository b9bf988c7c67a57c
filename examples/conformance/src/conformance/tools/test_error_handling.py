"""Always fails."""

from conformance._generated.contract import (
    Context,
    TestErrorHandlingArguments,
    ToolResult,
)
from conformance._generated.errors import ToolError


async def test_error_handling(
    arguments: TestErrorHandlingArguments,
    context: Context,
) -> ToolResult:
    raise ToolError("This tool intentionally returns an error for testing")
