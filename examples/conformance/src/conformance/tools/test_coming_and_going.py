"""Answers for as long as it is on the list."""

from conformance._generated.contract import (
    Context,
    TestComingAndGoingArguments,
    TestComingAndGoingResult,
)


async def test_coming_and_going(
    arguments: TestComingAndGoingArguments,
    context: Context,
) -> TestComingAndGoingResult:
    return "Still here."
