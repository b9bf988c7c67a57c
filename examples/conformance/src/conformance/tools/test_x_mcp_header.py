"""Takes a region, which HTTP clients also send as a header."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestXMcpHeaderArguments


async def test_x_mcp_header(
    arguments: TestXMcpHeaderArguments,
    context: Context,
) -> ToolResult:
    return f"The region is {arguments.region}."
