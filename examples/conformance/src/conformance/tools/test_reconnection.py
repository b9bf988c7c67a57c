"""Ends the stream of its answer early; the client comes back for the rest."""

import anyio

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestReconnectionArguments


async def test_reconnection(
    arguments: TestReconnectionArguments,
    context: Context,
) -> ToolResult:
    if context.request.close_sse_stream:  # Only over HTTP, where clients can come back.
        await context.request.close_sse_stream()
    await anyio.sleep(0.1)
    return "The client came back."
