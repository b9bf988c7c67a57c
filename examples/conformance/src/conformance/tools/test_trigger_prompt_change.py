"""Takes a prompt off the list, and puts it back."""

from conformance._generated.contract import (
    Context,
    TestTriggerPromptChangeArguments,
    TestTriggerPromptChangeResult,
    hide,
    show,
)


async def test_trigger_prompt_change(
    arguments: TestTriggerPromptChangeArguments,
    context: Context,
) -> TestTriggerPromptChangeResult:
    await hide("prompts", "test_coming_and_going_prompt")
    await show("prompts", "test_coming_and_going_prompt")
    return "The list has changed twice."
