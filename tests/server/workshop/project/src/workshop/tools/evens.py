"""The even numbers below a limit; a list, which only the newest protocol can carry."""

from workshop._generated.contract import Context, EvensArguments, EvensResult


def evens(arguments: EvensArguments, context: Context) -> EvensResult:
    return list(range(0, arguments.limit, 2))
