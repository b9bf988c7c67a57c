"""Test the handlers as functions."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fake_context import FakeContext, fake_context

from starter._generated.errors import QueryFailed
from starter._generated.models import (
    ListTablesArguments,
    ListTablesResult,
    ListTablesTable,
    QueryArguments,
    QueryResult,
)
from starter._generated.settings import SettingsError
from starter.database import Database
from starter.lifespan import Shared, lifespan
from starter.tools.list_tables import list_tables
from starter.tools.query import query

ENDLESS = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "birds.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("""
            CREATE TABLE birds (name TEXT, span REAL, picture BLOB);
            INSERT INTO birds VALUES ('wren', 0.15, x'89ab'), ('crane', 2.4, NULL);
            CREATE VIEW names AS SELECT name FROM birds;
        """)
    return file


@pytest.fixture
def context(file: Path) -> FakeContext:
    return fake_context(shared=Shared(Database(file, seconds=0.2)))


def test_tables_and_views_are_listed_with_their_columns(context: FakeContext) -> None:
    assert list_tables(ListTablesArguments(), context) == ListTablesResult(
        tables=[
            ListTablesTable(
                name="birds", columns=["name TEXT", "span REAL", "picture BLOB"]
            ),
            ListTablesTable(name="names", columns=["name TEXT"]),
        ]
    )


def test_a_query_has_columns_and_rows(context: FakeContext) -> None:
    result = query(QueryArguments(sql="SELECT * FROM birds ORDER BY span"), context)
    assert result == QueryResult(
        columns=["name", "span", "picture"],
        rows=[["wren", 0.15, "89ab"], ["crane", 2.4, None]],
        more=False,
    )


def test_values_that_json_lacks_are_text(context: FakeContext) -> None:
    result = query(QueryArguments(sql="SELECT 9e999, -9e999, x'00'"), context)
    assert result.rows == [["inf", "-inf", "00"]]


@pytest.mark.parametrize(("limit", "more"), [(1, True), (2, False)])
def test_a_query_ends_at_its_limit(
    context: FakeContext, limit: int, more: bool
) -> None:
    result = query(QueryArguments(sql="SELECT name FROM names", limit=limit), context)
    assert (len(result.rows), result.more) == (limit, more)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM birds",
        "INSERT INTO birds (name) VALUES ('owl')",
        "DROP TABLE birds",
        "CREATE TEMP TABLE owls (name)",
        "ATTACH 'other.db' AS other",
        "PRAGMA writable_schema = 1",
        "VACUUM",
        "SELECT 1; SELECT 2",
        "SELECT zeroblob(1000000000)",
        "SELECT * FROM owls",
        "SELEC 1",
    ],
)
def test_what_is_not_one_small_select_statement_fails(
    context: FakeContext, file: Path, sql: str
) -> None:
    before = file.read_bytes()
    with pytest.raises(QueryFailed):
        query(QueryArguments(sql=sql), context)
    assert file.read_bytes() == before
    assert [*file.parent.iterdir()] == [file]


def test_a_query_that_does_not_end_is_interrupted(context: FakeContext) -> None:
    with pytest.raises(QueryFailed, match="interrupted"):
        query(QueryArguments(sql=ENDLESS), context)


@pytest.mark.anyio
async def test_a_file_that_is_no_database_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shop.db"
    file.write_text("name;price\nteapot;24.90\n")
    monkeypatch.setenv("DATABASE", str(file))
    with pytest.raises(SettingsError, match="^DATABASE: .*not a database"):
        async with lifespan():
            pass
