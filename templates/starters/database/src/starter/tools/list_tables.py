"""List the tables and views of the database with their columns."""

from starter._generated.contract import Context
from starter._generated.models import ListTablesArguments, ListTablesResult, Table


def list_tables(arguments: ListTablesArguments, context: Context) -> ListTablesResult:
    tables = context.shared.database.tables()
    return ListTablesResult(
        tables=[Table(name=name, columns=columns) for name, columns in tables.items()]
    )
