"""Asks for a confirmation, with a state that only this server can read."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultRequestStateArguments,
    TestInputRequiredResultRequestStateResult,
)
from conformance.forms import Confirmation


async def test_input_required_result_request_state(
    arguments: TestInputRequiredResultRequestStateArguments,
    context: Context,
) -> TestInputRequiredResultRequestStateResult:
    answer = await context.elicit("Please confirm", Confirmation, name="confirm")
    return f"state-ok: {answer}"
