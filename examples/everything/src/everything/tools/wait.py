"""Wait some seconds, and tell how long it really took. More than 2 is too long."""

from asyncio import sleep
from time import monotonic

from everything._generated.contract import Context, WaitArguments, WaitResult


async def wait(arguments: WaitArguments, context: Context) -> WaitResult:
    start = monotonic()
    await sleep(arguments.seconds)
    return f"Waited {monotonic() - start:.2f} seconds."
