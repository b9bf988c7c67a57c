"""Handlers that call existing functions: the types that these take, and what they return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("starts_programs")

OWN = """
import asyncio
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from uuid import UUID


class Colour(Enum):
    RED = "red"


class ToolError(Exception):
    pass


@dataclass
class Book:
    title: str
    pages: int = 1
    parts: "list[Book]" = field(default_factory=list)


class Odd:
    pass


class Row:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def times(self, by: int) -> int:
        return self.factor * by


row = Row(3)


def take_enum(it: Colour): return repr(it)
def take_book(it: Book): return repr(it)
def take_cost(it: Decimal): return repr(it)
def take_either(it: date | int | None): return repr(it)
def take_bare(it): return repr(it)
def take_default(it: int = 7): return repr(it)
async def take_async(it: date): await asyncio.sleep(0.01); return repr(it)
def take_odd(it: Odd): return repr(it)


def give_books():
    return [Book("a", parts=[Book("b")])]


def give_date():
    return {"when": date(2026, 1, 2), "at": datetime(2026, 1, 2, tzinfo=timezone.utc), "id": UUID(int=1)}


def give_wrong():
    return "not a number"


def give_secret():
    return object()


def fail():
    raise ToolError("No such book")


async def fail_later():
    raise ToolError("No such book, later")
"""
OBJECT: dict[str, Any] = {"type": "object"}
BOOK = {"title": "a", "parts": [{"title": "b", "pages": 2}]}
SENT = [{"title": "a", "pages": 1, "parts": [{"title": "b", "pages": 1, "parts": []}]}]
DATES = {"when": "2026-01-02", "at": "2026-01-02T00:00:00Z", "id": f"{UUID(int=1)}"}
FORMATS = {"when": "date", "at": "date-time", "id": "uuid"}
MASKED = "Internal error, reference "
RESULTS: dict[str, dict[str, Any]] = {
    "give_books": {"result": {"type": "array", "items": OBJECT}},
    "give_date": {name: {"type": "string", "format": each} for name, each in FORMATS.items()},
    "give_wrong": {"result": {"type": "integer"}},
}
"""The properties of results."""
CALLS: list[tuple[str, dict[str, Any], bool, Any]] = [
    ("take_enum", {"it": "red"}, False, "<Colour.RED: 'red'>"),
    (
        "take_book",
        {"it": BOOK},
        False,
        "Book(title='a', pages=1, parts=[Book(title='b', pages=2, parts=[])])",
    ),
    ("take_cost", {"it": 1.5}, False, "Decimal('1.5')"),
    ("take_either", {"it": "2026-01-02"}, False, "datetime.date(2026, 1, 2)"),
    ("take_bare", {"it": [True]}, False, "[True]"),
    ("take_default", {"it": 5.0}, False, "5"),
    ("take_default", {}, False, "7"),
    ("take_async", {"it": "2026-01-02"}, False, "datetime.date(2026, 1, 2)"),
    ("take_odd", {"it": 1}, True, MASKED),
    ("row.times", {"by": 5}, False, "15"),
    ("give_books", {}, False, {"result": SENT}),
    ("give_date", {}, False, DATES),
    ("give_wrong", {}, True, MASKED),
    ("give_secret", {}, True, MASKED),
    ("fail", {}, True, "No such book"),
    ("fail_later", {}, True, "No such book, later"),
]
"""Functions with arguments, whether the result is an error, and the result or how its text begins."""


def tool(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    found = {"name": function, "description": f"Call {function}.", "inputSchema": OBJECT}
    found |= {"handler": {"python": f".own:{function}"}}
    if arguments:
        found["inputSchema"] = {**OBJECT, "properties": {key: {} for key in arguments}}
    if function in RESULTS:
        found["outputSchema"] = {**OBJECT, "properties": RESULTS[function]}
    return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, check: WireCheck) -> Iterator[StdioClient]:
    tools = {name: tool(name, arguments) for name, arguments, *_ in reversed(CALLS)}
    spec = {"name": "caller", "version": "1.0.0", "tools": [*tools.values()]}
    folder = tmp_path_factory.mktemp("functions") / "caller"
    project = generate(spec, folder, handlers={"own.py": OWN})
    with StdioClient(project, MODERN, check) as client:
        yield client
        assert client.faults == []


@pytest.mark.parametrize(("name", "arguments", "fails", "expected"), CALLS)
def test_a_function_gets_its_arguments_and_its_result_is_sent(
    client: StdioClient, name: str, arguments: dict[str, Any], fails: bool, expected: Any
) -> None:
    result = client.call(name, **arguments)["result"]
    assert result["isError"] is fails
    if isinstance(expected, dict):
        assert result["structuredContent"] == expected
        return
    text = result["content"][0]["text"]
    assert text.startswith(expected) if expected == MASKED else text == expected


def test_a_type_without_a_json_form_is_named_in_the_log(client: StdioClient) -> None:
    client.call("take_odd", it=1)
    wait_until(lambda: "Odd" in client.log)  # It is read by another thread.
