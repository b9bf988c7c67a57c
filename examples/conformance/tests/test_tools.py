"""What the tools do. mcp-scaffold wrote this file once; it is yours."""

import pytest
from mcp import Client

from client import EXAMPLES, Example
from conformance._generated.calls import is_stub
from conformance._generated.handlers import TOOLS
from conformance._generated.server import create_server

NONE = pytest.param(None, marks=pytest.mark.skip("no examples: add some to mcp.yaml"))


@pytest.mark.anyio
@pytest.mark.parametrize("example", EXAMPLES or [NONE], ids=str)
async def test_an_example_of_the_spec_ends_as_the_spec_says(example: Example) -> None:
    if is_stub(TOOLS[example.tool].handler):
        pytest.skip("its tool is to be written")
    async with Client(create_server()) as client:
        result = await client.call_tool(example.tool, example.arguments)
    assert "Internal error, reference" not in str(result.content)
    assert result.is_error == example.is_error, result.content
