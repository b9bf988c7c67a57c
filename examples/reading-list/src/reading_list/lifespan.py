"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from reading_list._generated.runtime.upstream import Upstream
from reading_list._generated.upstream import opened


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    upstream: Upstream


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    async with opened() as upstream:
        yield Shared(upstream)
