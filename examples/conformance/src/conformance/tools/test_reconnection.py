"""Ends the stream of its answer early; the client comes back for the rest."""

import anyio

from conformance._generated.contract import (
    Context,
    TestReconnectionArguments,
    TestReconnectionResult,
)


async def test_reconnection(
    arguments: TestReconnectionArguments,
    context: Context,
) -> TestReconnectionResult:
    # The SDK has it over HTTP, where clients can come back.
    if close_stream := getattr(context.request, "close_sse_stream", None):
        await close_stream()
    await anyio.sleep(0.1)
    return "The client came back."
