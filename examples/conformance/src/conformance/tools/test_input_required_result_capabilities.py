"""Asks for whatever the client can answer."""

import asyncio
from collections.abc import Awaitable

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultCapabilitiesArguments,
    TestInputRequiredResultCapabilitiesResult,
)
from conformance.forms import Name


async def test_input_required_result_capabilities(
    arguments: TestInputRequiredResultCapabilitiesArguments,
    context: Context,
) -> TestInputRequiredResultCapabilitiesResult:
    questions: list[Awaitable[object]] = []
    if context.can("elicitation"):
        questions.append(context.elicit("Who is there?", Name))
    if context.can("sampling"):
        questions.append(context.sample("Who is there?", max_tokens=50))
    answers = await asyncio.gather(*questions)
    return f"{len(answers)} answers"
