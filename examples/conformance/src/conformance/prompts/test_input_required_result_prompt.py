"""A message about what the user is asked for."""

from conformance._generated.contract import Context, PromptResult
from conformance._generated.models import TestInputRequiredResultPromptArguments


async def test_input_required_result_prompt(
    arguments: TestInputRequiredResultPromptArguments,
    context: Context,
) -> PromptResult:
    form = {
        "type": "object",
        "properties": {"context": {"type": "string"}},
        "required": ["context"],
    }
    question = "What context should the prompt use?"
    answer = await context.client.elicit("user_context", question, form)
    return f"Use this context: {answer.content}"
