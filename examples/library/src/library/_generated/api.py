# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The HTTP API behind the tools: its address, and what authenticates requests."""

from contextlib import AbstractAsyncContextManager

from .runtime.api import Api, Credential, reached
from .settings import Settings


def connected(settings: Settings) -> AbstractAsyncContextManager[Api]:
    """Return the API that the settings name, to be opened by `async with`."""
    return reached(
        "library (an MCP server)",
        settings.library_url,
        "LIBRARY_URL",
        Credential("library_token", settings.library_token, "bearer"),
        Credential(
            "library_api_key", settings.library_api_key, "header", "X-Station-Key"
        ),
    )
