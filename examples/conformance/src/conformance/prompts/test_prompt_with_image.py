"""A picture, and a request to look at it."""

from conformance._generated.contract import (
    Context,
    ImageContent,
    PromptMessage,
    PromptResult,
    TestPromptWithImageArguments,
    TextContent,
)
from conformance.samples import PNG


async def test_prompt_with_image(
    arguments: TestPromptWithImageArguments,
    context: Context,
) -> PromptResult:
    request = TextContent(text="Please analyze the image above.")
    return [
        PromptMessage(
            role="user", content=ImageContent(data=PNG, mime_type="image/png")
        ),
        PromptMessage(role="user", content=request),
    ]
