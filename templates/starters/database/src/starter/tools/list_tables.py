"""List the tables and views of the database with their columns."""

from starter._generated.contract import Context
from starter._generated.contract import (
    ListTablesArguments,
    ListTablesResult,
    ListTablesTable,
)


def list_tables(arguments: ListTablesArguments, context: Context) -> ListTablesResult:
    tables = context.shared.database.tables()
    return ListTablesResult(
        tables=[
            ListTablesTable(name=name, columns=columns)
            for name, columns in tables.items()
        ]
    )
