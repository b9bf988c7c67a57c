"""Sum up the expenses of a month in euros, by category."""

from expenses._generated.contract import (
    Category,
    Context,
    SummarizeExpensesArguments,
    SummarizeExpensesResult,
)


async def summarize_expenses(
    arguments: SummarizeExpensesArguments, context: Context
) -> SummarizeExpensesResult:
    ledger = context.shared.ledger
    totals = ledger.totals(arguments.month)
    return SummarizeExpensesResult(
        total=sum(euros for _, euros, _ in totals) / 100,
        categories=[
            Category(category=category, total=euros / 100, expenses=count)
            for category, euros, count in totals
        ],
        unconverted=len(ledger.unconverted(arguments.month)),
    )
