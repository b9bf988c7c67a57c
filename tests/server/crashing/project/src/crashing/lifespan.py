"""What the handlers share: opened when the server starts, closed when it ends."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from crashing._generated.settings import Settings


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    tasks: list[asyncio.Task[None]] = field(default_factory=list)


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    hangs = Settings.from_environment().crashing_hangs
    print("opening", file=sys.stderr)
    if hangs == "opening":
        await asyncio.sleep(1000)
    yield Shared()
    if hangs == "closing":
        await asyncio.sleep(1000)
    if hangs == "blocking":
        threading.Event().wait(1000)
