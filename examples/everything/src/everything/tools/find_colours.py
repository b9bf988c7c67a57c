"""Find the colours whose names contain some letters, and get links to them."""

from itertools import islice

from everything._generated.contract import (
    Context,
    FindColoursArguments,
    FindColoursResult,
    ResourceLink,
)
from everything.palette import address


async def find_colours(
    arguments: FindColoursArguments, context: Context
) -> FindColoursResult:
    letters = arguments.name_contains
    names = (name for name in sorted(context.shared.colours) if letters in name)
    links = [
        ResourceLink(uri=address(name), name=name, mime_type="image/svg+xml")
        for name in islice(names, arguments.max)
    ]
    return links or f"No colour has {letters!r} in its name."
