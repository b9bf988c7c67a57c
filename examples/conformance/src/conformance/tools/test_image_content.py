"""Returns a picture of one pixel."""

from conformance._generated.contract import (
    Context,
    ImageContent,
    TestImageContentArguments,
    TestImageContentResult,
)
from conformance.samples import PNG


async def test_image_content(
    arguments: TestImageContentArguments,
    context: Context,
) -> TestImageContentResult:
    return ImageContent(data=PNG, mime_type="image/png")
