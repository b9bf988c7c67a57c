# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from expenses._generated.contract import Tool
from expenses._generated.models import (
    AddExpenseArguments,
    AddExpenseResult,
    ApproveExpenseArguments,
    ApproveExpenseResult,
    AttachReceiptArguments,
    AttachReceiptResult,
    ConvertExpensesArguments,
    ConvertExpensesResult,
    GetRateArguments,
    GetRateResult,
    SummarizeExpensesArguments,
    SummarizeExpensesResult,
)
from expenses.tools.add_expense import add_expense
from expenses.tools.approve_expense import approve_expense
from expenses.tools.attach_receipt import attach_receipt
from expenses.tools.convert_expenses import convert_expenses
from expenses.tools.get_rate import get_rate
from expenses.tools.summarize_expenses import summarize_expenses

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_rate": Tool[GetRateArguments, GetRateResult](
        GetRateArguments, get_rate, timeout=30
    ),
    "add_expense": Tool[AddExpenseArguments, AddExpenseResult](
        AddExpenseArguments, add_expense
    ),
    "attach_receipt": Tool[AttachReceiptArguments, AttachReceiptResult](
        AttachReceiptArguments, attach_receipt
    ),
    "approve_expense": Tool[ApproveExpenseArguments, ApproveExpenseResult](
        ApproveExpenseArguments, approve_expense
    ),
    "convert_expenses": Tool[ConvertExpensesArguments, ConvertExpensesResult](
        ConvertExpensesArguments, convert_expenses, timeout=300
    ),
    "summarize_expenses": Tool[SummarizeExpensesArguments, SummarizeExpensesResult](
        SummarizeExpensesArguments, summarize_expenses
    ),
}
