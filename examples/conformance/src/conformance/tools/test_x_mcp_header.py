"""Takes a region, which HTTP clients also send as a header."""

from conformance._generated.contract import (
    Context,
    TestXMcpHeaderArguments,
    TestXMcpHeaderResult,
)


async def test_x_mcp_header(
    arguments: TestXMcpHeaderArguments,
    context: Context,
) -> TestXMcpHeaderResult:
    return f"The region is {arguments.region}."
