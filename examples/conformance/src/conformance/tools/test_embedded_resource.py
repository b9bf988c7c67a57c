"""Returns a resource, with its content."""

from mcp_types import EmbeddedResource, TextResourceContents

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestEmbeddedResourceArguments


async def test_embedded_resource(
    arguments: TestEmbeddedResourceArguments,
    context: Context,
) -> ToolResult:
    resource = TextResourceContents(
        uri="test://embedded-resource",
        mime_type="text/plain",
        text="This is an embedded resource content.",
    )
    return EmbeddedResource(resource=resource)
