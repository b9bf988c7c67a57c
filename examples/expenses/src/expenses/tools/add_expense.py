"""Record what somebody spent, and get the number of the expense."""

from expenses._generated.contract import Context
from expenses._generated.models import AddExpenseArguments, AddExpenseResult


async def add_expense(
    arguments: AddExpenseArguments, context: Context
) -> AddExpenseResult:
    number = context.shared.ledger.add(
        person=arguments.person,
        day=arguments.day,
        amount=round(arguments.amount * 100),
        currency=arguments.currency,
        category=arguments.category,
        note=arguments.note,
    )
    return AddExpenseResult(expense=number)
