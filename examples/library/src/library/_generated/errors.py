# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class ApiError(ToolError):
    """The API cannot be reached, or its response cannot be used."""


class ThereIsNoSuchBook(ToolError):
    def __init__(self) -> None:
        super().__init__("There is no such book")


class TheBookIsOnLoan(ToolError):
    def __init__(self) -> None:
        super().__init__("The book is on loan")


class ThereIsNoSuchLoan(ToolError):
    def __init__(self) -> None:
        super().__init__("There is no such loan")
