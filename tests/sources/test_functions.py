"""Handlers that call existing functions: the types that these take, and what they return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.generated import Generated, generate
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
BOOKS = {"type": "array", "items": {"type": "object"}}
RESULTS: dict[str, Any] = {
    "give_books": {"result": BOOKS},
    "give_date": {
        "when": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "id": {"type": "string", "format": "uuid"},
    },
    "give_wrong": {"result": {"type": "integer"}},
}
TAKEN: dict[str, tuple[Any, str]] = {
    "take_enum": ("red", "<Colour.RED: 'red'>"),
    "take_book": (
        {"title": "a", "parts": [{"title": "b", "pages": 2}]},
        "Book(title='a', pages=1, parts=[Book(title='b', pages=2, parts=[])])",
    ),
    "take_cost": (1.5, "Decimal('1.5')"),
    "take_either": ("2026-01-02", "datetime.date(2026, 1, 2)"),
    "take_bare": ([True], "[True]"),
    "take_default": (5.0, "5"),
    "take_async": ("2026-01-02", "datetime.date(2026, 1, 2)"),
}


def tool(name: str, function: str = "", **schemas: Any) -> dict[str, Any]:
    schemas.setdefault("inputSchema", {"type": "object"})
    handler = {"python": f".own:{function or name}"}
    return {"name": name, "description": f"Call {name}.", "handler": handler, **schemas}


ANYTHING: dict[str, Any] = {"type": "object", "properties": {"it": {}}}
SPEC: dict[str, Any] = {
    "name": "caller",
    "version": "1.0.0",
    "tools": [
        *(tool(name, inputSchema=ANYTHING) for name in (*TAKEN, "take_odd")),
        tool(
            "times",
            "row.times",
            inputSchema={"type": "object", "properties": {"by": {"type": "integer"}}},
        ),
        *(tool(name) for name in ("fail", "fail_later", "give_secret")),
        *(
            tool(name, outputSchema={"type": "object", "properties": properties})
            for name, properties in RESULTS.items()
        ),
    ],
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("functions") / "caller"
    return generate(SPEC, folder, handlers={"own.py": OWN})


@pytest.fixture(scope="module")
def client(project: Generated, check: WireCheck) -> Iterator[StdioClient]:
    with StdioClient(project, MODERN, check) as client:
        yield client
        assert client.faults == []


def said(result: Any) -> str:
    text: str = result["content"][0]["text"]
    return text


@pytest.mark.parametrize("name", TAKEN)
def test_a_function_gets_arguments_of_the_types_in_its_signature(
    client: StdioClient, name: str
) -> None:
    given, expected = TAKEN[name]
    result = client.call(name, it=given)["result"]
    assert (result["isError"], said(result)) == (False, expected)


def test_an_argument_that_is_not_given_is_left_to_the_function(client: StdioClient) -> None:
    assert said(client.call("take_default")["result"]) == "7"


def test_a_method_is_a_function(client: StdioClient) -> None:
    assert said(client.call("times", by=5)["result"]) == "15"


def test_a_type_that_json_cannot_become_is_named_in_the_log(client: StdioClient) -> None:
    assert said(client.call("take_odd", it=1)["result"]).startswith("Internal error, reference ")
    wait_until(lambda: "Odd" in client.log)  # It is read by another thread.


@pytest.mark.parametrize(("name", "told"), [("fail", ""), ("fail_later", ", later")])
def test_the_error_of_a_tool_is_told(client: StdioClient, name: str, told: str) -> None:
    result = client.call(name)["result"]
    assert (result["isError"], said(result)) == (True, f"No such book{told}")


def test_what_a_function_returns_is_sent_as_json(client: StdioClient) -> None:
    books = client.call("give_books")["result"]["structuredContent"]
    inner = {"title": "b", "pages": 1, "parts": []}
    assert books == {"result": [{"title": "a", "pages": 1, "parts": [inner]}]}
    dates = client.call("give_date")["result"]["structuredContent"]
    assert dates == {
        "when": "2026-01-02",
        "at": "2026-01-02T00:00:00Z",
        "id": "00000000-0000-0000-0000-000000000001",
    }


@pytest.mark.parametrize("name", ["give_wrong", "give_secret"])
def test_what_cannot_be_sent_is_masked(client: StdioClient, name: str) -> None:
    assert said(client.call(name)["result"]).startswith("Internal error, reference ")
