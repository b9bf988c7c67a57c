"""Get the euros that one unit of a currency was worth on a day."""

from expenses._generated.contract import Context
from expenses._generated.models import GetRateArguments, GetRateResult


async def get_rate(arguments: GetRateArguments, context: Context) -> GetRateResult:
    currency, day = arguments.currency, arguments.day
    rate = await context.shared.rates.euros(currency, day)
    return f"1 {currency} was {rate:g} EUR on {day}."
