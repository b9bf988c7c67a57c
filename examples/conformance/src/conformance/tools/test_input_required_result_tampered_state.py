"""Asks for a confirmation, and refuses a state that was changed."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultTamperedStateArguments,
    TestInputRequiredResultTamperedStateResult,
)
from conformance.forms import Confirmation


async def test_input_required_result_tampered_state(
    arguments: TestInputRequiredResultTamperedStateArguments,
    context: Context,
) -> TestInputRequiredResultTamperedStateResult:
    answer = await context.elicit("Please confirm", Confirmation, name="confirm")
    return f"The user chose: {answer}"
