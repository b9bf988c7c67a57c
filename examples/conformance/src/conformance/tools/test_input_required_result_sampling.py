"""Asks the client's model for a capital."""

from mcp_types import CreateMessageRequestParams, SamplingMessage, TextContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultSamplingArguments


async def test_input_required_result_sampling(
    arguments: TestInputRequiredResultSamplingArguments,
    context: Context,
) -> ToolResult:
    content = TextContent(text="What is the capital of France?")
    message = SamplingMessage(role="user", content=content)
    params = CreateMessageRequestParams(messages=[message], max_tokens=100)
    answer = await context.client.sample("capital_question", params)
    return answer.content if isinstance(answer.content, TextContent) else "No answer."
