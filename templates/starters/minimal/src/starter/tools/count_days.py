"""Count the days from one date to another."""

from starter._generated.contract import Context
from starter._generated.contract import CountDaysArguments, CountDaysResult


async def count_days(arguments: CountDaysArguments, context: Context) -> CountDaysResult:
    return CountDaysResult(days=(arguments.end - arguments.start).days)
