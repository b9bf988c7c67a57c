"""What the handlers share: opened when the server starts, closed when it ends."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass

import httpx2

from expenses._generated.settings import Settings, SettingsError
from expenses.ledger import Ledger
from expenses.rates import RateService


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    ledger: Ledger
    rates: RateService


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    settings = Settings.from_environment()
    file = settings.expenses_database or ":memory:"
    try:
        connection = sqlite3.connect(file, isolation_level=None)
        ledger = Ledger(connection)
        ledger.create_tables()
    except sqlite3.Error as error:
        raise SettingsError(f"EXPENSES_DATABASE: {file}: {error}") from error
    with closing(connection):
        async with httpx2.AsyncClient(base_url=settings.rates_api) as client:
            yield Shared(ledger, RateService(client))
