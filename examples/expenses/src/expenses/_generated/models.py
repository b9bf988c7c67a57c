# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

import datetime as dt
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from expenses._generated.contract import ToolResult


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


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


SummarizeExpensesArguments: TypeAlias = ConvertExpensesArguments


class Category(Model):
    category: Literal["travel", "lodging", "meals", "equipment"]
    """What it was for."""
    total: float
    """Sum in euros."""
    expenses: int
    """How many."""


class SummarizeExpensesResult(Model):
    total: float
    """Sum in euros."""
    categories: list[Category]
    unconverted: int
    """Expenses that are not in euros yet, and left out."""


# Tools without an `outputSchema`.
GetRateResult: TypeAlias = ToolResult
AttachReceiptResult: TypeAlias = ToolResult
ApproveExpenseResult: TypeAlias = ToolResult
ConvertExpensesResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
