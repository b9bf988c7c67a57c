"""Asks for whatever the client can answer."""

import asyncio
from collections.abc import Awaitable

from mcp_types import (
    CreateMessageRequestParams,
    Result,
    SamplingMessage,
    TextContent,
)

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultCapabilitiesArguments


async def test_input_required_result_capabilities(
    arguments: TestInputRequiredResultCapabilitiesArguments,
    context: Context,
) -> ToolResult:
    message = SamplingMessage(role="user", content=TextContent(text="Who is there?"))
    params = CreateMessageRequestParams(messages=[message], max_tokens=50)
    questions: list[Awaitable[Result]] = []
    if context.client.can("elicitation"):
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        questions.append(context.client.elicit("name", "Who is there?", form))
    if context.client.can("sampling"):
        questions.append(context.client.sample("model", params))
    answers = await asyncio.gather(*questions)
    return f"{len(answers)} answers"
