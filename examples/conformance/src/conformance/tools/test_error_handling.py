"""Always fails."""

from conformance._generated.contract import Context
from conformance._generated.errors import ToolError
from conformance._generated.models import (
    TestErrorHandlingArguments,
    TestErrorHandlingResult,
)


async def test_error_handling(
    arguments: TestErrorHandlingArguments,
    context: Context,
) -> TestErrorHandlingResult:
    raise ToolError("This tool intentionally returns an error for testing")
