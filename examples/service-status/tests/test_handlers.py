# Copyright Acme Ltd. All rights reserved.
"""Test the handlers as functions. mcp-scaffold wrote this file once; it is yours."""

from collections.abc import AsyncIterator

import pytest
from fake_context import fake_context, run

from service_status._generated import calls
from service_status._generated.contract import GetStatusArguments
from service_status.lifespan import Shared, lifespan
from service_status.tools.get_status import get_status

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared() -> AsyncIterator[Shared]:
    """What the server opens. Replace it by a `Shared(…)` with stand-ins of your own."""
    async with lifespan() as shared:
        yield shared


@pytest.mark.skipif(calls.is_stub(get_status), reason="to be written")
async def test_get_status(shared: Shared) -> None:
    context = fake_context(shared=shared)
    arguments = GetStatusArguments.model_validate({"service": "billing"})
    assert await run(get_status, arguments, context)
