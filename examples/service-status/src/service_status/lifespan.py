# Copyright Acme Ltd. All rights reserved.
"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    yield Shared()
