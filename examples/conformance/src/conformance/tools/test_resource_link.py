"""Returns a link to a resource."""

from conformance._generated.contract import (
    Context,
    ResourceLink,
    TestResourceLinkArguments,
    TestResourceLinkResult,
)


async def test_resource_link(
    arguments: TestResourceLinkArguments,
    context: Context,
) -> TestResourceLinkResult:
    return ResourceLink(uri="test://static-text", name="static-text")
