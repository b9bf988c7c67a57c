"""Test the handlers as functions. mcp-scaffold wrote this file once; it is yours."""

from collections.abc import AsyncIterator

import pytest
from fake_context import fake_context, run

from reading_list._generated import calls
from reading_list._generated.models import FindBooksArguments
from reading_list.lifespan import Shared, lifespan
from reading_list.tools.find_books import find_books

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared() -> AsyncIterator[Shared]:
    """What the server opens. Replace it by a `Shared(…)` with stand-ins of your own."""
    async with lifespan() as shared:
        yield shared


@pytest.mark.skipif(calls.is_stub(find_books), reason="to be written")
async def test_find_books(shared: Shared) -> None:
    context = fake_context(shared=shared)
    arguments = FindBooksArguments.model_validate({"words": "woolf"})
    assert await run(find_books, arguments, context)
