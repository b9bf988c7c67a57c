"""Asks the client's model to answer a prompt."""

from conformance._generated.contract import (
    Context,
    TestSamplingArguments,
    TestSamplingResult,
)


async def test_sampling(
    arguments: TestSamplingArguments,
    context: Context,
) -> TestSamplingResult:
    answer = await context.sample(arguments.prompt, max_tokens=100)
    return f"LLM response: {answer}"
