"""Get the picture on the cover of a book."""

from library._generated.contract import (
    Context,
    GetCoverArguments,
    GetCoverResult,
    ThereIsNoSuchBook,
)
from library._generated.runtime import wire


async def get_cover(arguments: GetCoverArguments, context: Context) -> GetCoverResult:
    body = await context.shared.api.request(
        "GET",
        f"/books/{wire.segment(arguments.id)}/cover",
        credentials=[],
        errors={"404": ThereIsNoSuchBook},
    )
    return wire.image(body, "image/png")
