"""Asks the client's model to answer a prompt."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestSamplingArguments


async def test_sampling(
    arguments: TestSamplingArguments,
    context: Context,
) -> ToolResult:
    answer = await context.sample(arguments.prompt, max_tokens=100)
    return f"LLM response: {answer}"
