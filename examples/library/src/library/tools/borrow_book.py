"""Borrow a book until a day."""

from library._generated.contract import (
    BorrowBookArguments,
    BorrowBookResult,
    Context,
    TheBookIsOnLoan,
    ThereIsNoSuchBook,
)
from library._generated.runtime import wire


async def borrow_book(
    arguments: BorrowBookArguments, context: Context
) -> BorrowBookResult:
    body = await context.shared.api.request(
        "POST",
        "/loans",
        credentials=["library_token"],
        json=wire.given(arguments),
        errors={"404": ThereIsNoSuchBook, "409": TheBookIsOnLoan},
    )
    return wire.read(BorrowBookResult, body)
