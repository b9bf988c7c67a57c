"""Takes a tool off the list, and puts it back."""

from conformance._generated.contract import (
    Context,
    TestTriggerToolChangeArguments,
    TestTriggerToolChangeResult,
    hide,
    show,
)


async def test_trigger_tool_change(
    arguments: TestTriggerToolChangeArguments,
    context: Context,
) -> TestTriggerToolChangeResult:
    await hide("tools", "test_coming_and_going")
    await show("tools", "test_coming_and_going")
    return "The list has changed twice."
