# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class NoRate(ToolError):
    def __init__(self, *, currency: object, day: object) -> None:
        super().__init__(f"There is no rate from {currency} to EUR on {day}.")


class RatesUnavailable(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The rate service did not answer as it should: {reason}. Try again later."
        )


class UnknownExpense(ToolError):
    def __init__(self, *, expense: object) -> None:
        super().__init__(
            f"There is no expense {expense}. add_expense returns the number of a new one."
        )


class WrongMediaType(ToolError):
    def __init__(self, *, media_type: object) -> None:
        super().__init__(f"The receipt is not of type {media_type}.")
