"""Asks for three things at once."""

import asyncio

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultMultipleInputsArguments,
    TestInputRequiredResultMultipleInputsResult,
)
from conformance.forms import Name


async def test_input_required_result_multiple_inputs(
    arguments: TestInputRequiredResultMultipleInputsArguments,
    context: Context,
) -> TestInputRequiredResultMultipleInputsResult:
    name, greeting, folders = await asyncio.gather(
        context.elicit("What is your name?", Name, name="user_name"),
        context.sample("Generate a greeting", max_tokens=50, name="greeting"),
        context.roots(name="client_roots"),
    )
    return f"{greeting}, {name}: {len(folders)} folders"
