"""Always fails."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.errors import ToolError
from conformance._generated.models import TestErrorHandlingArguments


async def test_error_handling(
    arguments: TestErrorHandlingArguments,
    context: Context,
) -> ToolResult:
    raise ToolError("This tool intentionally returns an error for testing")
