"""Asks the user for a name and an address."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestElicitationArguments
from conformance.forms import User


async def test_elicitation(
    arguments: TestElicitationArguments,
    context: Context,
) -> ToolResult:
    answer = await context.elicit(arguments.message, User)
    if isinstance(answer, User):
        return f"User response: action=accept, content={answer.model_dump_json()}"
    return f"User response: action={answer}"
