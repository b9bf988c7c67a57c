# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class UnknownService(ToolError):
    def __init__(self, *, service: object, known: object) -> None:
        super().__init__(f"No service is called {service}; there are {known}")
