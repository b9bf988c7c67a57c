# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The MCP server behind the handlers: how it is started."""

from contextlib import AbstractAsyncContextManager

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from .runtime.upstream import Upstream, reached


def opened() -> AbstractAsyncContextManager[Upstream]:
    """Return the server, to be opened by `async with`. Its session opens when needed."""
    return reached(
        lambda: stdio_client(
            StdioServerParameters(
                command="python",
                args=["old_server.py"],
                encoding_error_handler="replace",
            )
        ),
        "READING_LIST_UPSTREAM",
    )
