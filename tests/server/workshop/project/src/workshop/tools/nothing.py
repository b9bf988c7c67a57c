"""Nothing to say."""

from workshop._generated.contract import Context
from workshop._generated.models import NothingArguments


async def nothing(arguments: NothingArguments, context: Context) -> None:
    return None
