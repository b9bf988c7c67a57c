# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The MCP server behind the handlers: how it is started."""

from contextlib import AbstractAsyncContextManager

from .runtime.process import started
from .runtime.upstream import Upstream, reached


def opened() -> AbstractAsyncContextManager[Upstream]:
    """Return the server, to be opened by `async with`. Its session opens when needed."""
    return reached(
        lambda: started("python", ["old_server.py"]), "READING_LIST_UPSTREAM"
    )
