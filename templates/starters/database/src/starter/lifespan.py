"""What the handlers share: opened when the server starts, closed when it ends."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from starter._generated.settings import Settings, SettingsError
from starter.database import Database

SAMPLE = Path(__file__).with_name("sample.sql")


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    database: Database


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    with TemporaryDirectory() as folder:
        file = Settings.from_environment().database or sample(Path(folder))
        database = Database(file)
        try:
            database.tables()
        except sqlite3.Error as error:
            raise SettingsError(f"DATABASE: {file}: {error}") from error
        yield Shared(database)


def sample(folder: Path) -> Path:
    """Create the sample database in a folder, and return its file."""
    file = folder / "sample.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SAMPLE.read_text(encoding="utf-8"))
    return file
