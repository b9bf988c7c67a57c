"""Get what is known about an expense, whether it is approved, and its receipt."""

import datetime as dt

from expenses._generated.contract import (
    Context,
    GetExpenseArguments,
    GetExpenseReceipt,
    GetExpenseResult,
)


async def get_expense(
    arguments: GetExpenseArguments, context: Context
) -> GetExpenseResult:
    ledger = context.shared.ledger
    expense = ledger.get(arguments.expense)
    receipt = ledger.receipt(expense.number)
    return GetExpenseResult(
        person=expense.person,
        day=dt.date.fromisoformat(expense.day),
        amount=expense.amount / 100,
        currency=expense.currency,
        category=expense.category,
        note=expense.note,
        decision=expense.decision,
        reason=expense.reason,
        receipt=receipt and GetExpenseReceipt(media_type=receipt[0], bytes=receipt[1]),
    )
