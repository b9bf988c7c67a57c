"""The stock, in a SQLite file that several threads and processes may use."""

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from starter._generated.contract import ItemExists, NotEnough, UnknownItem

TABLE = """
CREATE TABLE IF NOT EXISTS items (
    sku TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 0)
)
"""


class Item(NamedTuple):
    sku: str
    name: str
    quantity: int


@dataclass(frozen=True)
class Stock:
    """The stock in `file`. Each call has a connection of its own, so any thread may make it."""

    file: Path

    def open(self) -> None:
        """Create the table if it is missing. Raises sqlite3.Error."""
        with self.connection() as connection:
            # Readers do not wait for a writer, nor a writer for readers.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(TABLE)

    @contextmanager
    def connection(self) -> Generator[sqlite3.Connection]:
        """Open the file. A writer waits up to 5 seconds for another."""
        with closing(sqlite3.connect(self.file, 5, isolation_level=None)) as opened:
            yield opened

    def add(self, item: Item) -> None:
        """Add an item. Raises ItemExists."""
        with self.connection() as connection:
            statement = "INSERT INTO items VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            if not connection.execute(statement, item).rowcount:
                raise ItemExists(sku=item.sku, name=found(connection, item.sku).name)

    def page(self, text: str, after: str, limit: int) -> list[Item]:
        """Return the items whose name contains a text, from the one after this SKU."""
        query = """
            SELECT * FROM items WHERE instr(lower(name), lower(?)) AND sku > ?
            ORDER BY sku LIMIT ?
        """
        with self.connection() as connection:
            return [Item(*row) for row in connection.execute(query, (text, after, limit))]

    def take(self, wanted: Iterable[tuple[str, int]]) -> None:
        """Take pieces of each SKU, all or none. Raises UnknownItem and NotEnough."""
        statement = "UPDATE items SET quantity = quantity - ? WHERE sku = ? AND quantity >= ?"
        with self.connection() as connection, transaction(connection):
            for sku, pieces in wanted:
                if not connection.execute(statement, (pieces, sku, pieces)).rowcount:
                    raise NotEnough(sku=sku, left=found(connection, sku).quantity)

    def check(self, skus: Iterable[str]) -> None:
        """Look each item up. Raises UnknownItem."""
        with self.connection() as connection:
            for sku in skus:
                found(connection, sku)

    def correct(self, counted: Iterable[tuple[str, int]]) -> int:
        """Set what there is of each SKU, and return how many were wrong."""
        statement = "UPDATE items SET quantity = ? WHERE sku = ? AND quantity != ?"
        with self.connection() as connection, transaction(connection):
            values = ((quantity, sku, quantity) for sku, quantity in counted)
            return connection.executemany(statement, values).rowcount


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Commit what was done, or undo all of it. The write lock is taken at once."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def found(connection: sqlite3.Connection, sku: str) -> Item:
    """Return an item. Raises UnknownItem."""
    row = connection.execute("SELECT * FROM items WHERE sku = ?", [sku]).fetchone()
    if row is None:
        raise UnknownItem(sku=sku)
    return Item(*row)
