"""Asks for the user's name."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultElicitationArguments


async def test_input_required_result_elicitation(
    arguments: TestInputRequiredResultElicitationArguments,
    context: Context,
) -> ToolResult:
    form = {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    answer = await context.client.elicit("user_name", "What is your name?", form)
    return f"Hello, {answer.content['name'] if answer.content else 'stranger'}!"
