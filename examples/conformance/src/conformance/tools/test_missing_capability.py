"""Needs a client with a model."""

from mcp_types import CreateMessageRequestParams, SamplingMessage, TextContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestMissingCapabilityArguments


async def test_missing_capability(
    arguments: TestMissingCapabilityArguments,
    context: Context,
) -> ToolResult:
    message = SamplingMessage(role="user", content=TextContent(text="Hello"))
    params = CreateMessageRequestParams(messages=[message], max_tokens=10)
    await context.client.sample("greeting", params)
    return "The client has a model."
