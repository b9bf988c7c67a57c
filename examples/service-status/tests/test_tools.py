# Copyright Acme Ltd. All rights reserved.
"""Test the tools through a client. mcp-scaffold wrote this file once; it is yours."""

import pytest

from client import EXAMPLES, Example, outcome, text_of
from service_status._generated.contract import is_stub
from service_status._generated.handlers import TOOLS
from service_status._generated.server import create_server

NO_EXAMPLES = pytest.param(
    None, marks=pytest.mark.skip("no examples: add some to mcp.yaml")
)


@pytest.mark.anyio
@pytest.mark.parametrize("example", EXAMPLES or [NO_EXAMPLES], ids=str)
async def test_an_example_of_the_spec_ends_as_the_spec_says(example: Example) -> None:
    if is_stub(TOOLS[example.tool].handler):
        pytest.skip("its tool is to be written")
    result = await outcome(create_server(), example)
    assert "Internal error, reference" not in text_of(result)
    assert result.is_error == example.is_error, text_of(result)
