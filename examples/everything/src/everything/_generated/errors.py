# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class ResourceNotFound(ToolError):
    """There is no resource at this URI."""

    def __init__(self, message: str = "Resource not found") -> None:
        super().__init__(message)


class UnknownColour(ToolError):
    def __init__(self, *, name: object) -> None:
        super().__init__(
            f"There is no colour {name}. Look for one with find_colours, or write #rrggbb."
        )


class StopsOutOfOrder(ToolError):
    def __init__(self) -> None:
        super().__init__("The positions of the stops must rise from one to the next.")
