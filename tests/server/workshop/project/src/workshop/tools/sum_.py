"""Add numbers; a coroutine whose result has a schema."""

from workshop._generated.contract import Context, SumArguments, SumResult


async def sum_(arguments: SumArguments, context: Context) -> SumResult:
    return SumResult(sum=sum(arguments.numbers), count=len(arguments.numbers))
