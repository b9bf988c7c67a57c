"""Asks for the user's name."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultElicitationArguments,
    TestInputRequiredResultElicitationResult,
)
from conformance.forms import Name


async def test_input_required_result_elicitation(
    arguments: TestInputRequiredResultElicitationArguments,
    context: Context,
) -> TestInputRequiredResultElicitationResult:
    answer = await context.elicit("What is your name?", Name, name="user_name")
    return f"Hello, {answer.name if isinstance(answer, Name) else 'stranger'}!"
