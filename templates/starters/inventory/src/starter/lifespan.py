"""What the handlers share: opened when the server starts, closed when it ends."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

from mcp.server.request_state import AESGCMRequestStateCodec

from starter._generated.settings import Settings, SettingsError
from starter.stock import Stock


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    stock: Stock
    cursors: AESGCMRequestStateCodec
    """Seals cursors, so that a client can neither read nor change them."""


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    with TemporaryDirectory() as folder:
        file = Settings.from_environment().inventory or Path(folder) / "stock.db"
        stock = Stock(file)
        try:
            stock.open()
        except sqlite3.Error as error:
            raise SettingsError(f"INVENTORY: {file}: {error}") from error
        yield Shared(stock, AESGCMRequestStateCodec([token_bytes(32)]))
