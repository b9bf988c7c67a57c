"""What to suggest for the arguments of prompts and the variables of URI templates."""

from collections.abc import Sequence

from conformance._generated.contract import CompleteRequestParams, Context


async def complete(request: CompleteRequestParams, context: Context) -> Sequence[str]:
    """All values that go on from `request.argument.value`, the best first."""
    values = ["paris", "park", "party", *(f"page-{n}" for n in range(120))]
    return [value for value in values if value.startswith(request.argument.value)]
