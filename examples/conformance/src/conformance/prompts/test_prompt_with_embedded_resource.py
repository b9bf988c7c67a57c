"""A resource, and a request to read it."""

from conformance._generated.contract import (
    Context,
    EmbeddedResource,
    PromptMessage,
    PromptResult,
    TestPromptWithEmbeddedResourceArguments,
    TextContent,
    TextResourceContents,
)


async def test_prompt_with_embedded_resource(
    arguments: TestPromptWithEmbeddedResourceArguments,
    context: Context,
) -> PromptResult:
    resource = TextResourceContents(
        uri=arguments.resourceUri,
        mime_type="text/plain",
        text="Embedded resource content for testing.",
    )
    request = TextContent(text="Please process the embedded resource above.")
    return [
        PromptMessage(role="user", content=EmbeddedResource(resource=resource)),
        PromptMessage(role="user", content=request),
    ]
