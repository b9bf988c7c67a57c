"""Run a SELECT statement of SQLite and get its rows."""

import sqlite3

from starter._generated.contract import Context
from starter._generated.contract import QueryFailed
from starter._generated.contract import QueryArguments, QueryResult


def query(arguments: QueryArguments, context: Context) -> QueryResult:
    limit = arguments.limit
    try:
        columns, rows = context.shared.database.query(arguments.sql, limit + 1)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise QueryFailed(reason=error) from error
    return QueryResult(columns=columns, rows=rows[:limit], more=len(rows) > limit)
