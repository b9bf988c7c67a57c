"""Get the address of the receipt of a loan, a PDF document."""

from library._generated.contract import (
    Context,
    GetReceiptArguments,
    GetReceiptResult,
    ThereIsNoSuchLoan,
)
from library._generated.runtime import wire


async def get_receipt(
    arguments: GetReceiptArguments, context: Context
) -> GetReceiptResult:
    body = await context.shared.api.request(
        "GET",
        f"/loans/{wire.segment(arguments.id)}/receipt",
        credentials=["library_token"],
        errors={"404": ThereIsNoSuchLoan},
        redirect=True,
    )
    return body.decode(errors="replace") or "Done."
