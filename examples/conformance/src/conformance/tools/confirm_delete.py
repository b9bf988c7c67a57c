"""Asks the user for a confirmation."""

from conformance._generated.contract import (
    ConfirmDeleteArguments,
    ConfirmDeleteResult,
    Context,
)
from conformance.forms import Deletion


async def confirm_delete(
    arguments: ConfirmDeleteArguments,
    context: Context,
) -> ConfirmDeleteResult:
    answer = await context.elicit(f"Delete {arguments.filename}?", Deletion)
    if isinstance(answer, Deletion) and answer.confirm:
        return f"Deleted {arguments.filename}."
    return f"Kept {arguments.filename}."
