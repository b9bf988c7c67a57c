# Copyright Acme Ltd. All rights reserved.
"""What the tools do. mcp-scaffold wrote this file once; it is yours."""

import pytest
from mcp import Client

from client import EXAMPLES, Example
from service_status._generated.server import create_server


@pytest.mark.anyio
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
async def test_an_example_of_the_spec_ends_as_the_spec_says(example: Example) -> None:
    async with Client(create_server()) as client:
        result = await client.call_tool(example.tool, example.arguments)
    if "is not implemented yet" in str(result.content):
        pytest.skip(f"{example.tool} is still a stub")
    assert result.is_error == example.is_error, result.content
