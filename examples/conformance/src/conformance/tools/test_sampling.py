"""Asks the client's model to answer a prompt."""

from conformance._generated.contract import Context
from conformance._generated.models import TestSamplingArguments, TestSamplingResult


async def test_sampling(
    arguments: TestSamplingArguments,
    context: Context,
) -> TestSamplingResult:
    answer = await context.sample(arguments.prompt, max_tokens=100)
    return f"LLM response: {answer}"
