"""A SQLite file, for reading only."""

import math
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | int | float | None

ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
"""What a query may do. ATTACH could read other files, and PRAGMA change settings."""

MAX_BYTES = 1024 * 1024
"""The maximum size of a value."""

STEPS = 10_000
"""How many steps SQLite's virtual machine makes between checks of the time."""

TABLES = """
    SELECT name FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name
"""


class Rows(NamedTuple):
    columns: list[str]
    values: list[list[Value]]


@dataclass(frozen=True)
class Database:
    """The database in `file`; a query may take `seconds`."""

    file: Path
    seconds: float = 10

    def tables(self) -> dict[str, list[str]]:
        """Return the columns of each table, with their types. Raises sqlite3.Error."""
        with self.connection() as connection:
            names = [name for (name,) in connection.execute(TABLES)]
            columns = "SELECT trim(name || ' ' || type) FROM pragma_table_info(?)"
            return {
                name: [column for (column,) in connection.execute(columns, [name])]
                for name in names
            }

    def query(self, sql: str, limit: int) -> Rows:
        """Return the first rows of a query. Raises sqlite3.Error if it may not or cannot be run."""
        with self.connection() as connection:
            connection.set_authorizer(authorize)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
            end = time.monotonic() + self.seconds
            connection.set_progress_handler(lambda: time.monotonic() > end, STEPS)
            cursor = connection.execute(sql)
            columns = [column[0] for column in cursor.description or ()]
            rows = [[plain(value) for value in row] for row in cursor.fetchmany(limit)]
            return Rows(columns, rows)

    @contextmanager
    def connection(self) -> Generator[sqlite3.Connection]:
        address = f"{self.file.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            yield connection


def authorize(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


def plain(value: Value | bytes) -> Value:
    """Return a value that JSON can hold: a BLOB in hexadecimal digits, infinity as text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
