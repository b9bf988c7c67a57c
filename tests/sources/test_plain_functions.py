"""Functions of a module are imported as tools, with what their signatures and docstrings say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.sources.read import read_source
from tests.generated import generate

pytestmark = pytest.mark.usefixtures("starts_programs")

SHOP = '''
"""A small shop.

It sells books."""
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, Optional
from pydantic import BaseModel, Field

@dataclass
class Item:
    name: str
    price: float = 1

class Order(BaseModel):
    """An order."""
    items: list[Item] = Field(min_length=1)
    day: date

def search(query: str, kind: Literal["book", "toy"] = "book",
           limit: Annotated[int, Field(ge=1)] = 10, since: Optional[date] = None) -> list[Item]:
    """Search the shop.

    All words must match.

    Args:
        query: Words to look for,
            in any order.
        kind (str): The kind of item.

    Returns:
        The items.
    """
    return []

async def place(order: Order) -> Order:
    """Place an order.

    :param order: what to buy
    """
    return order

def greet(name): return "Hello"

class Session: pass
def logged_in(session: Session) -> str: return ""
def every(*names: str) -> None: pass
def numbers(): yield 1
def _private(): pass
'''
ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number", "default": 1}},
    "required": ["name"],
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@pytest.mark.usefixtures("shop")
def test_the_public_functions_of_a_module_become_tools() -> None:
    source = read_source("python:shop")
    assert {key: source.spec[key] for key in ("name", "description")} == {
        "name": "shop",
        "description": "A small shop.",
    }
    search, place, greet = source.spec["tools"]
    assert search == {
        "name": "search",
        "description": "Search the shop.\n\nAll words must match.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for, in any order."},
                "kind": {
                    "type": "string",
                    "enum": ["book", "toy"],
                    "default": "book",
                    "description": "The kind of item.",
                },
                "limit": {"type": "integer", "minimum": 1, "default": 10},
                "since": {
                    "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                    "default": None,
                },
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Item"}}},
            "required": ["result"],
            "$defs": {"Item": ITEM},
        },
        "handler": {"python": ".shop:search"},
    }
    assert place["inputSchema"]["properties"]["order"]["description"] == "what to buy"
    assert place["outputSchema"]["properties"]["day"] == {"type": "string", "format": "date"}
    assert greet["inputSchema"]["properties"] == {"name": {}}
    assert source.next == "cp shop.py shop/src/shop/"
    assert source.faults == ()
    assert [note.partition(":")[0] for note in source.notes] == [
        "`logged_in` was left out",
        "`every` was left out",
        "`numbers` was left out",
    ]


@pytest.mark.usefixtures("shop")
def test_functions_are_chosen_by_name_and_unsuitable_ones_are_errors() -> None:
    source = read_source("python:shop:greet,numbers")
    assert [tool["name"] for tool in source.spec["tools"]] == ["greet"]
    assert source.faults == ("`numbers` was left out: it yields its results",)
    assert [tool["name"] for tool in read_source("python:shop:place").spec["tools"]] == ["place"]


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        ("shop.py", "`shop.py` is a Python file", "write `python:shop` to"),
        ("python:a/shop.py", "`a/shop.py` is a Python file", "write `python:a.shop` to"),
        ("python:shop:every,numbers", "no function of", "`every` was left out: `*names: str` is"),
        ("python:missing", "cannot import it: ModuleNotFoundError: No module named 'missing'", ""),
        ("python:served", "`served` has a server", "write `python:served:app`, or"),
    ],
)
def test_a_source_without_functions_is_refused_with_a_hint(
    shop: Path, source: str, message: str, hint: str
) -> None:
    served = "class MCPServer: pass\napp = MCPServer()\ndef add(a: int): return a\n"
    (shop / "served.py").write_text(served)
    with pytest.raises(ScaffoldError) as caught:
        read_source(source)
    (fault,) = caught.value.diagnostics
    assert message in fault.message
    assert hint in str(fault.hint)


def test_a_module_without_dependencies_does_not_need_pydantic_on_path(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / "sums.py").write_text("def add(a: int, b: int) -> int: return a + b\n")
    (shop / "python").write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    (shop / "python").chmod(0o755)
    monkeypatch.setenv("PATH", f"{shop}{os.pathsep}{os.environ['PATH']}")
    assert [tool["name"] for tool in read_source("python:sums").spec["tools"]] == ["add"]


def test_a_package_is_copied_completely_without_shadowing_the_project(shop: Path) -> None:
    (shop / "app").mkdir()
    (shop / "app/tools.py").write_text("def add(a: int) -> int: return a\n")
    (shop / "tools.py").write_text("def add(a: int) -> int: return a\n")
    package, module = read_source("python:app.tools"), read_source("python:tools")
    assert package.spec["tools"][0]["handler"] == {"python": ".app.tools:add"}
    assert package.next == "cp -r app tools-server/src/tools_server/"
    assert module.spec["tools"][0]["handler"] == {"python": ".own_tools:add"}
    assert module.next == "cp tools.py tools-server/src/tools_server/own_tools.py"


def test_the_module_of_the_functions_is_not_linted(shop: Path) -> None:
    ugly = "import os,sys\ndef add(a,b): return undefined+a\n"
    tool = {"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}
    spec = {"name": "sums", "version": "1.0", "tools": [tool]}
    tool["handler"] = {"python": ".ugly:add"}
    project = generate(spec, shop / "sums", handlers={"ugly.py": ugly})
    for check in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]):
        command = [str(Path(sys.executable).with_name(check[0])), *check[1:]]
        done = subprocess.run(command, cwd=project.folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode()
