# Copyright Acme Ltd. All rights reserved.
"""Test the server as a client uses it. mcp-scaffold wrote this file once; it is yours."""

import asyncio
import runpy
from pathlib import Path

import pytest

from service_status._generated.server import create_server

client = runpy.run_path(str(Path(__file__).parents[1] / "client.py"))
EXAMPLES = client["EXAMPLES"]


@pytest.fixture(scope="module")
def checks() -> list[tuple[str, str]]:
    """The checks of all examples: ok, todo, skip or FAIL, and what was seen."""

    async def check_all() -> list[tuple[str, str]]:
        async with client["connected"](create_server()) as checks:
            return [await checks.example(number) for number in range(len(EXAMPLES))]

    return asyncio.run(check_all())


@pytest.mark.parametrize(
    "number",
    range(len(EXAMPLES)),
    ids=[example["name"] for example in EXAMPLES],
)
def test_an_example_ends_as_the_spec_says(
    number: int, checks: list[tuple[str, str]]
) -> None:
    word, text = checks[number]
    if word in ("todo", "skip"):
        pytest.skip(text)
    assert word == "ok", text
