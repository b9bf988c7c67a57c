"""Store the receipt of an expense, a file of at most 2 MiB."""

from base64 import b64decode

from expenses._generated.contract import Context
from expenses._generated.errors import WrongMediaType
from expenses._generated.models import AttachReceiptArguments, AttachReceiptResult

BEGINNINGS = {
    "application/pdf": b"%PDF-",
    "image/jpeg": b"\xff\xd8\xff",
    "image/png": b"\x89PNG\r\n\x1a\n",
}


async def attach_receipt(
    arguments: AttachReceiptArguments, context: Context
) -> AttachReceiptResult:
    ledger = context.shared.ledger
    expense = ledger.get(arguments.expense)
    data = b64decode(arguments.data)
    if not data.startswith(BEGINNINGS[arguments.media_type]):
        raise WrongMediaType(media_type=arguments.media_type)
    ledger.attach(expense.number, arguments.media_type, data)
    return f"Stored {len(data)} bytes as the receipt of expense {expense.number}."
