"""Always fails."""

from conformance._generated.contract import (
    Context,
    TestErrorHandlingArguments,
    TestErrorHandlingResult,
    ToolError,
)


async def test_error_handling(
    arguments: TestErrorHandlingArguments,
    context: Context,
) -> TestErrorHandlingResult:
    raise ToolError("This tool intentionally returns an error for testing")
