"""The expenses, in SQLite. Money is in cents, days are as in 2026-03-02."""

import datetime as dt
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Literal, NamedTuple, TypeAlias

from expenses._generated.contract import UnknownExpense

Category: TypeAlias = Literal["travel", "lodging", "meals", "equipment"]

Decision: TypeAlias = Literal["open", "approved", "rejected"]

COLUMNS = "number, person, day, amount, currency, category, note, decision, reason"

TABLES = """
CREATE TABLE IF NOT EXISTS expenses (
    number INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    day TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    category TEXT NOT NULL,
    note TEXT NOT NULL,
    euros INTEGER,
    decision TEXT NOT NULL DEFAULT 'open',
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS receipts (
    expense INTEGER PRIMARY KEY REFERENCES expenses,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL
);
"""


class Expense(NamedTuple):
    number: int
    person: str
    day: str
    amount: int
    currency: str
    category: Category
    note: str
    decision: Decision
    reason: str


@dataclass(frozen=True)
class Ledger:
    """The tables at `connection`, which commits each statement by itself."""

    connection: Connection

    def create_tables(self) -> None:
        self.connection.executescript(TABLES)

    def add(
        self,
        person: str,
        day: dt.date,
        amount: int,
        currency: str,
        category: Category,
        note: str = "",
    ) -> int:
        """Insert an expense and return its number."""
        statement = """
            INSERT INTO expenses (person, day, amount, currency, category, note)
            VALUES (?, ?, ?, ?, ?, ?)
        """
        values = (person, day.isoformat(), amount, currency, category, note)
        number = self.connection.execute(statement, values).lastrowid
        assert number is not None
        return number

    def get(self, number: int) -> Expense:
        """Return an expense. Raises UnknownExpense."""
        query = f"SELECT {COLUMNS} FROM expenses WHERE number = ?"
        row = self.connection.execute(query, (number,)).fetchone()
        if row is None:
            raise UnknownExpense(expense=number)
        return Expense(*row)

    def attach(self, number: int, media_type: str, data: bytes) -> None:
        """Store the receipt of an expense, in place of an earlier one."""
        statement = "INSERT OR REPLACE INTO receipts VALUES (?, ?, ?)"
        self.connection.execute(statement, (number, media_type, data))

    def receipt(self, number: int) -> tuple[str, int] | None:
        """Return the type of an expense's receipt and its size in bytes, if there is one."""
        query = "SELECT media_type, length(data) FROM receipts WHERE expense = ?"
        row: tuple[str, int] | None
        row = self.connection.execute(query, (number,)).fetchone()
        return row

    def decide(self, number: int, decision: Decision, reason: str) -> None:
        """Approve or reject an expense, whatever was decided before."""
        statement = "UPDATE expenses SET decision = ?, reason = ? WHERE number = ?"
        self.connection.execute(statement, (decision, reason, number))

    def unconverted(self, month: str) -> list[Expense]:
        """Return the expenses of a month that have no value in euros, by day."""
        query = f"""
            SELECT {COLUMNS}
            FROM expenses WHERE substr(day, 1, 7) = ? AND euros IS NULL
            ORDER BY day, number
        """
        return [Expense(*row) for row in self.connection.execute(query, (month,))]

    def convert(self, number: int, euros: int) -> None:
        """Set the value of an expense in euros."""
        statement = "UPDATE expenses SET euros = ? WHERE number = ?"
        self.connection.execute(statement, (euros, number))

    def totals(self, month: str) -> list[tuple[Category, int, int]]:
        """Return category, euros and count of what was not rejected, largest first."""
        query = """
            SELECT category, sum(euros), count(*) FROM expenses
            WHERE substr(day, 1, 7) = ? AND euros IS NOT NULL AND decision != 'rejected'
            GROUP BY category ORDER BY 2 DESC, 1
        """
        return self.connection.execute(query, (month,)).fetchall()
