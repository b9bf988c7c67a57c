"""Test the handlers as functions. mcp-scaffold wrote this file once; it is yours."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from fake_context import fake_context, run

from library._generated import calls
from library._generated.errors import ToolError
from library._generated.models import SearchBooksArguments
from library._generated.settings import Settings
from library.api import Api
from library.lifespan import Shared
from library.tools.search_books import search_books

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared() -> AsyncIterator[Shared]:
    """What the server opens, with an API that is down."""
    transport = httpx2.MockTransport(lambda request: httpx2.Response(503))
    address = "http://localhost"
    async with httpx2.AsyncClient(transport=transport, base_url=address) as client:
        settings = Settings.from_environment()
        api = Api(client, settings)
        yield Shared(settings, api)


@pytest.mark.skipif(calls.is_stub(search_books), reason="to be written")
async def test_search_books_tells_that_the_api_fails(shared: Shared) -> None:
    context = fake_context(shared=shared)
    arguments = SearchBooksArguments.model_validate({"q": "example"})
    with pytest.raises(ToolError):
        await run(search_books, arguments, context)
