# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class ResourceNotFound(ToolError):
    """There is no resource at this URI."""

    def __init__(self, message: str = "Resource not found") -> None:
        super().__init__(message)


class BadExpression(ToolError):
    def __init__(self, *, column: object, problem: object) -> None:
        super().__init__(f"Column {column}: {problem}")


class DivisionByZero(ToolError):
    def __init__(self, *, column: object) -> None:
        super().__init__(f"Column {column}: division by zero")


class NumberTooLong(ToolError):
    def __init__(self, *, column: object, limit: object) -> None:
        super().__init__(f"Column {column}: a number of more than {limit} digits")


class UnknownPlace(ToolError):
    def __init__(self, *, location: object, places: object) -> None:
        super().__init__(f"No weather is known for {location}. Try {places}.")
