"""Find the colours whose names contain some letters, and get links to them."""

from itertools import islice

from mcp_types import ResourceLink

from everything._generated.contract import Context, ToolResult
from everything._generated.models import FindColoursArguments
from everything.palette import address


async def find_colours(arguments: FindColoursArguments, context: Context) -> ToolResult:
    letters = arguments.name_contains
    names = (name for name in sorted(context.shared.colours) if letters in name)
    links = [
        ResourceLink(uri=address(name), name=name, mime_type="image/svg+xml")
        for name in islice(names, arguments.max)
    ]
    return links or f"No colour has {letters!r} in its name."
