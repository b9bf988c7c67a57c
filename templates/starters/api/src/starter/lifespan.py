"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2

from starter._generated.settings import Settings
from starter.stand_in import StandIn
from starter.tickets import Tickets

SECONDS = 10
"""How long the API may take to connect, and to send a part of its answer."""


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    tickets: Tickets


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    settings = Settings.from_environment()
    address, token = settings.tickets_api, settings.tickets_token
    client = httpx2.AsyncClient(
        base_url=address or "http://stand-in",
        headers={"Authorization": f"Bearer {token}"} if token else None,
        timeout=SECONDS,
        transport=None if address else httpx2.MockTransport(StandIn()),
    )
    async with client:
        yield Shared(Tickets(client))
