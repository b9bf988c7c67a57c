"""Tells its progress, then asks the user to confirm."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestStreamingElicitationArguments


async def test_streaming_elicitation(
    arguments: TestStreamingElicitationArguments,
    context: Context,
) -> ToolResult:
    await context.request.session.report_progress(1, 2, "About to ask")
    form = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
    }
    answer = await context.client.elicit("confirm", "Please confirm", form)
    return f"The user chose to {answer.action}."
