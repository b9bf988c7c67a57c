"""Needs a client with a model."""

from conformance._generated.contract import (
    Context,
    TestMissingCapabilityArguments,
    TestMissingCapabilityResult,
)


async def test_missing_capability(
    arguments: TestMissingCapabilityArguments,
    context: Context,
) -> TestMissingCapabilityResult:
    await context.sample("Hello", max_tokens=10)
    return "The client has a model."
