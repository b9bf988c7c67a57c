"""May take a quarter of a second."""

import anyio

from workshop._generated.contract import Context, ImpatientArguments


async def impatient(arguments: ImpatientArguments, context: Context) -> str:
    await anyio.sleep(arguments.seconds)
    return "in time"
