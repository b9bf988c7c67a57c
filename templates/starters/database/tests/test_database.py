"""Test the tools as a client calls them, on a database of birds."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from starter._generated.server import create_server
from starter._generated.settings import SettingsError
from starter.database import Database
from starter.lifespan import lifespan

pytestmark = pytest.mark.anyio

ENDLESS = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "birds.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("""
            CREATE TABLE birds (name TEXT, span REAL, picture BLOB);
            INSERT INTO birds VALUES ('wren', 0.15, x'89ab'), ('crane', 2.4, NULL);
            CREATE VIEW names AS SELECT name FROM birds;
        """)
    monkeypatch.setenv("DATABASE", str(file))
    return file


async def call(tool: str, **arguments: Any) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


async def test_tables_and_views_are_listed_with_their_columns() -> None:
    assert (await call("list_tables")).structured_content == {
        "tables": [
            {"name": "birds", "columns": ["name TEXT", "span REAL", "picture BLOB"]},
            {"name": "names", "columns": ["name TEXT"]},
        ]
    }


async def test_a_query_has_columns_and_rows() -> None:
    result = await call("query", sql="SELECT * FROM birds ORDER BY span")
    assert result.structured_content == {
        "columns": ["name", "span", "picture"],
        "rows": [["wren", 0.15, "89ab"], ["crane", 2.4, None]],
        "more": False,
    }


async def test_values_that_json_lacks_are_text() -> None:
    result = await call("query", sql="SELECT 9e999, -9e999, x'00'")
    assert result.structured_content
    assert result.structured_content["rows"] == [["inf", "-inf", "00"]]


@pytest.mark.parametrize(("limit", "more"), [(1, True), (2, False)])
async def test_a_query_ends_at_its_limit(limit: int, more: bool) -> None:
    result = await call("query", sql="SELECT name FROM names", limit=limit)
    assert result.structured_content
    assert len(result.structured_content["rows"]) == limit
    assert result.structured_content["more"] is more


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
async def test_what_is_not_one_small_select_statement_fails(
    file: Path, sql: str
) -> None:
    before = file.read_bytes()
    result = await call("query", sql=sql)
    assert result.is_error
    [block] = result.content
    assert isinstance(block, TextContent)
    assert block.text.startswith("The query failed")
    assert file.read_bytes() == before
    assert [*file.parent.iterdir()] == [file]


def test_a_query_that_does_not_end_is_interrupted(file: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        Database(file, seconds=0.2).query(ENDLESS, 1)


async def test_a_file_that_is_no_database_is_a_wrong_setting(file: Path) -> None:
    file.write_text("name;price\nteapot;24.90\n")
    with pytest.raises(SettingsError, match="^DATABASE: .*not a database"):
        async with lifespan():
            pass
