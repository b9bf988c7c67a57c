"""Tells its progress, then asks the user to confirm."""

from conformance._generated.contract import (
    Context,
    TestStreamingElicitationArguments,
    TestStreamingElicitationResult,
)
from conformance.forms import Confirmation


async def test_streaming_elicitation(
    arguments: TestStreamingElicitationArguments,
    context: Context,
) -> TestStreamingElicitationResult:
    await context.progress(1, 2, "About to ask")
    answer = await context.elicit("Please confirm", Confirmation)
    choice = "accept" if isinstance(answer, Confirmation) else answer
    return f"The user chose to {choice}."
