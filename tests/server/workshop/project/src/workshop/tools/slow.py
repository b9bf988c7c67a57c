"""Wait without holding anybody up."""

import anyio

from workshop._generated.contract import Context, SlowArguments


async def slow(arguments: SlowArguments, context: Context) -> str:
    context.shared.write("slow begins")
    await anyio.sleep(arguments.seconds)
    return f"slow {arguments.tag}"
