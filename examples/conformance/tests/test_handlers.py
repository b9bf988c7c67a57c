"""Test the handlers as functions. mcp-scaffold wrote this file once; it is yours."""

from collections.abc import AsyncIterator

import pytest
from fake_context import fake_context, run

from conformance._generated import calls
from conformance._generated.models import (
    TestPromptWithEmbeddedResourceArguments,
    TestSimpleTextArguments,
)
from conformance.lifespan import Shared, lifespan
from conformance.prompts.test_prompt_with_embedded_resource import (
    test_prompt_with_embedded_resource as call_test_prompt_with_embedded_resource,
)
from conformance.resources.static_binary import static_binary
from conformance.tools.test_simple_text import test_simple_text as call_test_simple_text

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared() -> AsyncIterator[Shared]:
    """What the server opens. Replace it by a `Shared(…)` with stand-ins of your own."""
    async with lifespan() as shared:
        yield shared


@pytest.mark.skipif(calls.is_stub(call_test_simple_text), reason="to be written")
async def test_test_simple_text(shared: Shared) -> None:
    context = fake_context(shared=shared)
    arguments = TestSimpleTextArguments.model_validate({})
    assert await run(call_test_simple_text, arguments, context)


@pytest.mark.skipif(calls.is_stub(static_binary), reason="to be written")
async def test_static_binary(shared: Shared) -> None:
    context = fake_context(shared=shared)
    assert await run(static_binary, context)


@pytest.mark.skipif(
    calls.is_stub(call_test_prompt_with_embedded_resource), reason="to be written"
)
async def test_test_prompt_with_embedded_resource(shared: Shared) -> None:
    context = fake_context(shared=shared)
    arguments = TestPromptWithEmbeddedResourceArguments.model_validate(
        {"resourceUri": "example"}
    )
    assert await run(call_test_prompt_with_embedded_resource, arguments, context)
