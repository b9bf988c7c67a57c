"""Test the tools as a client calls them. mcp-scaffold wrote this file once; it is yours."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from library._generated.server import create_server

client = runpy.run_path(str(Path(__file__).parents[1] / "client.py"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in client["stand_ins"](tmp_path).items():
        monkeypatch.setenv(name, text)


@pytest.mark.anyio
@pytest.mark.parametrize("example", client["EXAMPLES"], ids=client["title_of"])
async def test_an_example_ends_as_the_spec_says(example: dict[str, Any]) -> None:
    async with client["told"](create_server()) as story:
        text, fault = await story.tried(example)
    if fault == client["TO_DO"]:
        pytest.skip(fault)
    assert fault == "", text
