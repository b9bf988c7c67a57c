# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class ResourceNotFound(ToolError):
    """There is no resource at this URI."""

    def __init__(self, message: str = "Resource not found") -> None:
        super().__init__(message)
