"""Wait without holding anybody up."""

from pathlib import Path

import anyio

from workshop._generated.contract import Context, SlowArguments


async def slow(arguments: SlowArguments, context: Context) -> str:
    context.shared.write("slow begins")
    await anyio.sleep(arguments.seconds)
    while arguments.until and not Path(arguments.until).exists():
        await anyio.sleep(0.01)
    return f"slow {arguments.tag}"
