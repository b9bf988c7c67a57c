"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from library._generated.api import connected
from library._generated.runtime.api import Api
from library._generated.settings import Settings


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    settings: Settings
    api: Api


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    settings = Settings.from_environment()
    async with connected(settings) as api:
        yield Shared(settings, api)
