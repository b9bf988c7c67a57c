"""Returns a resource, with its content."""

from conformance._generated.contract import (
    Context,
    EmbeddedResource,
    TestEmbeddedResourceArguments,
    TestEmbeddedResourceResult,
    TextResourceContents,
)


async def test_embedded_resource(
    arguments: TestEmbeddedResourceArguments,
    context: Context,
) -> TestEmbeddedResourceResult:
    resource = TextResourceContents(
        uri="test://embedded-resource",
        mime_type="text/plain",
        text="This is an embedded resource content.",
    )
    return EmbeddedResource(resource=resource)
