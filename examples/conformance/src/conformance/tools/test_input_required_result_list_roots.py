"""Asks for the client's folders."""

from conformance._generated.contract import (
    Context,
    TestInputRequiredResultListRootsArguments,
    TestInputRequiredResultListRootsResult,
)


async def test_input_required_result_list_roots(
    arguments: TestInputRequiredResultListRootsArguments,
    context: Context,
) -> TestInputRequiredResultListRootsResult:
    roots = await context.roots(name="client_roots")
    return "Roots: " + ", ".join(str(root.uri) for root in roots)
