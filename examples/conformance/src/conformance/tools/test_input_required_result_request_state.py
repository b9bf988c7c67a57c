"""Asks for a confirmation, with a state that only this server can read."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultRequestStateArguments


async def test_input_required_result_request_state(
    arguments: TestInputRequiredResultRequestStateArguments,
    context: Context,
) -> ToolResult:
    form = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
    }
    answer = await context.client.elicit("confirm", "Please confirm", form)
    return f"state-ok: {answer.action}"
