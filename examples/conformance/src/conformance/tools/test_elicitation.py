"""Asks the user for a name and an address."""

from conformance._generated.contract import (
    Context,
    TestElicitationArguments,
    TestElicitationResult,
)
from conformance.forms import User


async def test_elicitation(
    arguments: TestElicitationArguments,
    context: Context,
) -> TestElicitationResult:
    answer = await context.elicit(arguments.message, User)
    if isinstance(answer, User):
        return f"User response: action=accept, content={answer.model_dump_json()}"
    return f"User response: action={answer}"
