"""Asks for a confirmation, and refuses a state that was changed."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultTamperedStateArguments


async def test_input_required_result_tampered_state(
    arguments: TestInputRequiredResultTamperedStateArguments,
    context: Context,
) -> ToolResult:
    form = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
    }
    answer = await context.client.elicit("confirm", "Please confirm", form)
    return f"The user chose to {answer.action}."
