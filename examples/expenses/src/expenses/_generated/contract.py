# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, tools
from .runtime.clients import ClientContext
from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.task_questions import AskingTaskContext

if TYPE_CHECKING:  # It may import this module.
    from expenses.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
EmbeddedResource = types.EmbeddedResource
Icon = types.Icon
ImageContent = types.ImageContent
ResourceLink = types.ResourceLink
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
Opened: TypeAlias = "Shared"


class Context(
    AskingTaskContext[Opened], ElicitingContext[Opened], ClientContext[Opened]
):
    """What a handler gets besides its arguments."""


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


class GetRateArguments(Model):
    currency: str
    """Three-letter code of the currency, such as USD."""
    day: dt.date
    """Day of the rate, such as 2026-03-02."""


class AddExpenseArguments(Model):
    person: str
    """Who paid."""
    day: dt.date
    """When it was paid, such as 2026-03-02."""
    amount: float
    """How much, such as 12.50."""
    currency: str
    """Three-letter code of the currency, such as USD."""
    category: Literal["travel", "lodging", "meals", "equipment"]
    """What it was for."""
    note: str = ""
    """Details, for whoever approves it."""


class AddExpenseResult(Model):
    expense: int
    """Number of the expense."""


class AttachReceiptArguments(Model):
    expense: int
    """Number of the expense."""
    media_type: Literal["application/pdf", "image/jpeg", "image/png"]
    """Type of the file."""
    data: str
    """Content of the file."""


class ApproveExpenseArguments(Model):
    expense: int
    """Number of the expense."""


class GetExpenseArguments(Model):
    expense: int
    """Number of the expense."""


class GetExpenseReceipt(Model):
    media_type: str
    """Type of the file."""
    bytes: int
    """Size of the file."""


class GetExpenseResult(Model):
    person: str
    """Who paid."""
    day: dt.date
    """When it was paid."""
    amount: float
    """How much."""
    currency: str
    """Three-letter code of the currency, such as USD."""
    category: Literal["travel", "lodging", "meals", "equipment"]
    """What it was for."""
    note: str
    """Details."""
    decision: Literal["open", "approved", "rejected"]
    """What the user decided."""
    reason: str
    """Why, for whoever paid."""
    receipt: GetExpenseReceipt | None
    """The receipt, if there is one."""


class ConvertExpensesArguments(Model):
    month: str
    """Year and month, such as 2026-03."""


class SummarizeExpensesArguments(Model):
    month: str
    """Year and month, such as 2026-03."""


class SummarizeExpensesCategory(Model):
    category: Literal["travel", "lodging", "meals", "equipment"]
    """What it was for."""
    total: float
    """Sum in euros."""
    expenses: int
    """How many."""


class SummarizeExpensesResult(Model):
    total: float
    """Sum in euros."""
    categories: list[SummarizeExpensesCategory]
    unconverted: int
    """Expenses that are not in euros yet, and left out."""


# Tools without an `outputSchema`.
GetRateResult: TypeAlias = ToolResult
AttachReceiptResult: TypeAlias = ToolResult
ApproveExpenseResult: TypeAlias = ToolResult
ConvertExpensesResult: TypeAlias = ToolResult
