"""Fails with an error of the protocol."""

from conformance._generated.contract import (
    Context,
    MCPError,
    ProtocolErrorJobArguments,
    ProtocolErrorJobResult,
)


async def protocol_error_job(
    arguments: ProtocolErrorJobArguments,
    context: Context,
) -> ProtocolErrorJobResult:
    raise MCPError(-32603, "This job always breaks")
