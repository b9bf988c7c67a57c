"""Takes a resource off the list, and puts it back."""

from conformance._generated.contract import (
    Context,
    TestTriggerResourceChangeArguments,
    TestTriggerResourceChangeResult,
    hide,
    show,
)


async def test_trigger_resource_change(
    arguments: TestTriggerResourceChangeArguments,
    context: Context,
) -> TestTriggerResourceChangeResult:
    await hide("resources", "test://coming-and-going")
    await show("resources", "test://coming-and-going")
    return "The list has changed twice."
