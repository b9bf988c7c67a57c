"""Returns text, a picture and a resource together."""

from conformance._generated.contract import (
    Context,
    EmbeddedResource,
    ImageContent,
    TestMultipleContentTypesArguments,
    TestMultipleContentTypesResult,
    TextContent,
    TextResourceContents,
)
from conformance.samples import PNG


async def test_multiple_content_types(
    arguments: TestMultipleContentTypesArguments,
    context: Context,
) -> TestMultipleContentTypesResult:
    resource = TextResourceContents(
        uri="test://mixed-content-resource",
        mime_type="application/json",
        text='{"test":"data","value":123}',
    )
    return [
        TextContent(text="Multiple content types test:"),
        ImageContent(data=PNG, mime_type="image/png"),
        EmbeddedResource(resource=resource),
    ]
