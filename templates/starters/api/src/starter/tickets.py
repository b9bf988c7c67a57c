"""The ticket API: requests, and errors for unusable responses."""

import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

import httpx2
from pydantic import BaseModel, ValidationError

from starter._generated.contract import TicketsUnavailable, UnknownTicket

logger = logging.getLogger(__name__)

REASONS: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "it does not accept the token",
    HTTPStatus.FORBIDDEN: "the token does not allow this",
    HTTPStatus.TOO_MANY_REQUESTS: "there were too many requests; try again later",
}


class Ticket(BaseModel):
    """A ticket as the API sends it, as far as the tools use it."""

    id: int
    title: str
    status: Literal["open", "closed"]


@dataclass(frozen=True)
class Tickets:
    """The API at the base address of `client`, which also has the token."""

    client: httpx2.AsyncClient

    async def get(self, number: int) -> Ticket:
        """Return a ticket. Raises UnknownTicket and TicketsUnavailable."""
        response = await self.send("GET", f"/tickets/{number}")
        if response.status_code == HTTPStatus.NOT_FOUND:
            raise UnknownTicket(ticket=number)
        return read(response)

    async def create(self, title: str) -> Ticket:
        """Create a ticket and return it. Raises TicketsUnavailable."""
        return read(await self.send("POST", "/tickets", {"title": title}))

    async def send(
        self, method: str, path: str, body: object = None
    ) -> httpx2.Response:
        try:
            return await self.client.request(method, path, json=body)
        except httpx2.TimeoutException as error:
            raise TicketsUnavailable(reason="it takes too long to answer") from error
        except httpx2.HTTPError as error:
            raise TicketsUnavailable(reason="it cannot be reached") from error


def read(response: httpx2.Response) -> Ticket:
    """Return the ticket in a response. The text of a failed one is only logged."""
    status = response.status_code
    if not response.is_success:
        logger.warning("status %s: %.200s", status, response.text)
        reason = REASONS.get(status, f"it answered with status {status}")
        raise TicketsUnavailable(reason=reason)
    try:
        return Ticket.model_validate_json(response.content)
    except ValidationError as error:
        logger.warning("the answer cannot be read: %s", error)
        raise TicketsUnavailable(reason="its answer cannot be read") from error
