"""Returns a link to a resource."""

from mcp_types import ResourceLink

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestResourceLinkArguments


async def test_resource_link(
    arguments: TestResourceLinkArguments,
    context: Context,
) -> ToolResult:
    return ResourceLink(uri="test://static-text", name="static-text")
