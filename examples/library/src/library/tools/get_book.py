"""Get a book by its number."""

from library._generated.contract import (
    Context,
    GetBookArguments,
    GetBookResult,
    ThereIsNoSuchBook,
)
from library._generated.runtime import wire


async def get_book(arguments: GetBookArguments, context: Context) -> GetBookResult:
    body = await context.shared.api.request(
        "GET",
        f"/books/{wire.segment(arguments.id)}",
        credentials=[],
        errors={"404": ThereIsNoSuchBook},
    )
    return wire.read(GetBookResult, body)
