"""Convert all expenses of a month to euros, at the rates of their days."""

import datetime as dt

from expenses._generated.contract import Context
from expenses._generated.models import ConvertExpensesArguments, ConvertExpensesResult


async def convert_expenses(
    arguments: ConvertExpensesArguments, context: Context
) -> ConvertExpensesResult:
    ledger, rates = context.shared.ledger, context.shared.rates
    expenses = ledger.unconverted(arguments.month)
    for done, expense in enumerate(expenses, start=1):
        day = dt.date.fromisoformat(expense.day)
        rate = await rates.euros(expense.currency, day)
        ledger.convert(expense.number, round(expense.amount * rate))
        await context.progress(done, len(expenses), f"Expense {expense.number}")
    return f"Expenses converted: {len(expenses)}."
