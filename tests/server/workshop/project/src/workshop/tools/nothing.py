"""Nothing to say."""

from workshop._generated.contract import Context, NothingArguments


async def nothing(arguments: NothingArguments, context: Context) -> None:
    return None
