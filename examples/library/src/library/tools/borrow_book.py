"""Borrow a book until a day."""

from library._generated import wire
from library._generated.contract import Context
from library._generated.errors import TheBookIsOnLoan, ThereIsNoSuchBook
from library._generated.models import BorrowBookArguments, BorrowBookResult


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
