"""Changes the watched resource."""

from conformance._generated.contract import (
    Context,
    TestTriggerResourceUpdateArguments,
    TestTriggerResourceUpdateResult,
    resource_updated,
)


async def test_trigger_resource_update(
    arguments: TestTriggerResourceUpdateArguments,
    context: Context,
) -> TestTriggerResourceUpdateResult:
    context.shared.watched.version += 1
    await resource_updated("test://watched-resource")
    return "The resource has changed."
