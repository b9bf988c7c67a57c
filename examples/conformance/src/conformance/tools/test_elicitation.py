"""Asks the user for a name and an address."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestElicitationArguments


async def test_elicitation(
    arguments: TestElicitationArguments,
    context: Context,
) -> ToolResult:
    text = {"type": "string"}
    form = {
        "type": "object",
        "properties": {
            "username": {**text, "description": "User's response"},
            "email": {**text, "description": "User's email address"},
        },
        "required": ["username", "email"],
    }
    answer = await context.client.elicit("user", arguments.message, form)
    return f"User response: action={answer.action}, content={answer.content}"
