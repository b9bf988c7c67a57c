"""Asks the user with a form that has a default in each field."""

from conformance._generated.contract import (
    Context,
    TestElicitationSep1034DefaultsArguments,
    TestElicitationSep1034DefaultsResult,
)
from conformance.forms import Profile


async def test_elicitation_sep1034_defaults(
    arguments: TestElicitationSep1034DefaultsArguments,
    context: Context,
) -> TestElicitationSep1034DefaultsResult:
    answer = await context.elicit("Please review your profile", Profile)
    if isinstance(answer, Profile):
        content = answer.model_dump_json()
        return f"Elicitation completed: action=accept, content={content}"
    return f"Elicitation completed: action={answer}"
