"""Returns a picture of one pixel."""

from mcp_types import ImageContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestImageContentArguments
from conformance.samples import PNG


async def test_image_content(
    arguments: TestImageContentArguments,
    context: Context,
) -> ToolResult:
    return ImageContent(data=PNG, mime_type="image/png")
