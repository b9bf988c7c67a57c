"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2

from weather._generated.settings import Settings
from weather.service import WeatherService

# The service refuses clients that do not say what they are.
HEADERS = {"User-Agent": "weather (an MCP server)", "Accept": "application/geo+json"}


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    weather: WeatherService


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    address = Settings.from_environment().weather_api
    async with httpx2.AsyncClient(base_url=address, headers=HEADERS) as client:
        yield Shared(WeatherService(client))
