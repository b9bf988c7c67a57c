"""Asks the user with a form that has a default in each field."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestElicitationSep1034DefaultsArguments


async def test_elicitation_sep1034_defaults(
    arguments: TestElicitationSep1034DefaultsArguments,
    context: Context,
) -> ToolResult:
    choice = {"type": "string", "enum": ["active", "inactive", "pending"]}
    form = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {**choice, "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
    }
    answer = await context.client.elicit("profile", "Please review your profile", form)
    return f"Elicitation completed: action={answer.action}, content={answer.content}"
