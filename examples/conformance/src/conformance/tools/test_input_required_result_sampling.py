"""Asks the client's model for a capital."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultSamplingArguments,
    TestInputRequiredResultSamplingResult,
)


async def test_input_required_result_sampling(
    arguments: TestInputRequiredResultSamplingArguments,
    context: Context,
) -> TestInputRequiredResultSamplingResult:
    question = "What is the capital of France?"
    return await context.sample(question, max_tokens=100, name="capital_question")
