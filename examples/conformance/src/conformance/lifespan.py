"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Watched:
    """A resource that changes."""

    version: int = 1


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    watched: Watched


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    yield Shared(Watched())
