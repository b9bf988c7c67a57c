"""Returns one line of text."""

from conformance._generated.contract import (
    Context,
    TestSimpleTextArguments,
    TestSimpleTextResult,
)


async def test_simple_text(
    arguments: TestSimpleTextArguments,
    context: Context,
) -> TestSimpleTextResult:
    return "This is a simple text response for testing."
