"""Get a ticket of the help desk by its number."""

from starter._generated.contract import Context
from starter._generated.contract import GetTicketArguments, GetTicketResult


async def get_ticket(arguments: GetTicketArguments, context: Context) -> GetTicketResult:
    found = await context.shared.tickets.get(arguments.ticket)
    return GetTicketResult(ticket=found.id, title=found.title, status=found.status)
