"""Changes the watched resource."""

from conformance._generated.changes import resource_updated
from conformance._generated.contract import Context
from conformance._generated.models import (
    TestTriggerResourceUpdateArguments,
    TestTriggerResourceUpdateResult,
)


async def test_trigger_resource_update(
    arguments: TestTriggerResourceUpdateArguments,
    context: Context,
) -> TestTriggerResourceUpdateResult:
    context.shared.watched.version += 1
    await resource_updated("test://watched-resource")
    return "The resource has changed."
