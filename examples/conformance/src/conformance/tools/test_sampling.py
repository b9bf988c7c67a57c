"""Asks the client's model to answer a prompt."""

from mcp_types import CreateMessageRequestParams, SamplingMessage, TextContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestSamplingArguments


async def test_sampling(
    arguments: TestSamplingArguments,
    context: Context,
) -> ToolResult:
    content = TextContent(text=arguments.prompt)
    message = SamplingMessage(role="user", content=content)
    params = CreateMessageRequestParams(messages=[message], max_tokens=100)
    answer = await context.client.sample("prompt", params)
    text = answer.content.text if isinstance(answer.content, TextContent) else "none"
    return f"LLM response: {text}"
