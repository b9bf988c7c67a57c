"""Ask the user to approve or reject an expense."""

from dataclasses import dataclass, field
from typing import Literal

from expenses._generated.contract import (
    ApproveExpenseArguments,
    ApproveExpenseResult,
    Context,
)
from expenses.ledger import Expense


@dataclass(frozen=True)
class Decision:
    """What the user fills in."""

    approve: bool = field(metadata={"description": "Whether the company pays."})
    reason: str = field(default="", metadata={"description": "Why, for whoever paid."})


async def approve_expense(
    arguments: ApproveExpenseArguments, context: Context
) -> ApproveExpenseResult:
    ledger = context.shared.ledger
    expense = ledger.get(arguments.expense)
    decision = await context.elicit(question(expense), Decision)
    if not isinstance(decision, Decision):
        return "The user has not decided."
    decided: Literal["approved", "rejected"]
    decided = "approved" if decision.approve else "rejected"
    ledger.decide(expense.number, decided, decision.reason)
    return f"The user {decided} expense {expense.number}. {decision.reason}".rstrip()


def question(expense: Expense) -> str:
    amount = f"{expense.amount / 100:.2f} {expense.currency}"
    note = f": {expense.note}" if expense.note else ""
    return (
        f"{expense.person} paid {amount} for {expense.category}"
        f" on {expense.day}{note}. Approve it?"
    )
