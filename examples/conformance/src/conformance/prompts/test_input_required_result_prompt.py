"""A message about what the user is asked for."""

from conformance._generated.contract import (
    Context,
    PromptResult,
    TestInputRequiredResultPromptArguments,
)
from conformance.forms import Background


async def test_input_required_result_prompt(
    arguments: TestInputRequiredResultPromptArguments,
    context: Context,
) -> PromptResult:
    question = "What context should the prompt use?"
    answer = await context.elicit(question, Background, name="user_context")
    return f"Use this context: {answer}"
