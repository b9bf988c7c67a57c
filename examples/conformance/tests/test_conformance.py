"""Test the server as a client uses it. mcp-scaffold wrote this file once; it is yours."""

import runpy
from pathlib import Path

import anyio
import pytest

from conformance._generated.server import create_server

client = runpy.run_path(str(Path(__file__).parents[1] / "client.py"))
EXAMPLES = client["EXAMPLES"]


@pytest.fixture(scope="module")
def story() -> list[tuple[str, str]]:
    """The examples of the spec, tried once: what came of each, and what was seen."""

    async def tell() -> list[tuple[str, str]]:
        async with client["told"](create_server()) as story:
            return [await story.tried(number) for number in range(len(EXAMPLES))]

    return anyio.run(tell)


@pytest.mark.parametrize(
    "number",
    range(len(EXAMPLES)),
    ids=[example["name"] for example in EXAMPLES],
)
def test_an_example_ends_as_the_spec_says(
    number: int, story: list[tuple[str, str]]
) -> None:
    word, step = story[number]
    if word in ("todo", "skip"):
        pytest.skip(step)
    assert word == "ok", step
