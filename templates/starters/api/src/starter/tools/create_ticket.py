"""Create a ticket at the help desk, and get its number."""

from starter._generated.contract import Context
from starter._generated.contract import CreateTicketArguments, CreateTicketResult


async def create_ticket(
    arguments: CreateTicketArguments, context: Context
) -> CreateTicketResult:
    made = await context.shared.tickets.create(arguments.title)
    return CreateTicketResult(ticket=made.id, title=made.title, status=made.status)
