# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Failures that a model can act on: a handler raises one, the client reads its text."""


class ToolError(Exception):
    """A call that failed for a reason the model should read."""


class UnknownService(ToolError):
    def __init__(self, *, service: object, known: object) -> None:
        super().__init__(f"No service is called {service}; there are {known}")
