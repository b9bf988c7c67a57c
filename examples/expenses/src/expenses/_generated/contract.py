# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import ContentBlock as ContentBlock
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import ReadResourceResult as ReadResourceResult
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.clients import ClientContext
from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.resources import ResourceNotFound as ResourceNotFound
from .runtime.resources import ResourceResult as ResourceResult
from .runtime.task_questions import AskingTaskContext
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from expenses.lifespan import Shared

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
