"""Wait in a coroutine that gives the waiting to a thread of asyncio's own."""

import asyncio
import time

from workshop._generated.contract import Context, OffloadedArguments


async def offloaded(arguments: OffloadedArguments, context: Context) -> str:
    context.shared.write("offloaded begins")
    await asyncio.to_thread(time.sleep, arguments.seconds)
    return "offloaded"
