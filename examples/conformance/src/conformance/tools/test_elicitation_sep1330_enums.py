"""Asks the user with a form that has each kind of choice."""

from conformance._generated.contract import (
    Context,
    TestElicitationSep1330EnumsArguments,
    TestElicitationSep1330EnumsResult,
)
from conformance.forms import Choices


async def test_elicitation_sep1330_enums(
    arguments: TestElicitationSep1330EnumsArguments,
    context: Context,
) -> TestElicitationSep1330EnumsResult:
    answer = await context.elicit("Please choose", Choices)
    if isinstance(answer, Choices):
        content = answer.model_dump_json()
        return f"Elicitation completed: action=accept, content={content}"
    return f"Elicitation completed: action={answer}"
