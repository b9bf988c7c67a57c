"""Asks for a name, then for a colour."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultMultiRoundArguments,
    TestInputRequiredResultMultiRoundResult,
)
from conformance.forms import Colour, Name


async def test_input_required_result_multi_round(
    arguments: TestInputRequiredResultMultiRoundArguments,
    context: Context,
) -> TestInputRequiredResultMultiRoundResult:
    name = await context.elicit("Step 1: What is your name?", Name, name="step1")
    colour = await context.elicit(
        "Step 2: What is your favorite color?", Colour, name="step2"
    )
    return f"{name} likes {colour}"
