"""Asks for three things at once."""

import asyncio

from mcp_types import CreateMessageRequestParams, SamplingMessage, TextContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultMultipleInputsArguments


async def test_input_required_result_multiple_inputs(
    arguments: TestInputRequiredResultMultipleInputsArguments,
    context: Context,
) -> ToolResult:
    form = {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    message = SamplingMessage(
        role="user", content=TextContent(text="Generate a greeting")
    )
    params = CreateMessageRequestParams(messages=[message], max_tokens=50)
    name, greeting, folders = await asyncio.gather(
        context.client.elicit("user_name", "What is your name?", form),
        context.client.sample("greeting", params),
        context.client.list_roots("client_roots"),
    )
    return f"{greeting.content}, {name.content}: {len(folders.roots)} folders"
