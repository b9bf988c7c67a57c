"""Test the handlers as functions, with functions in place of the API."""

from collections.abc import Callable

import httpx2
import pytest
from fake_context import FakeContext, fake_context

from starter._generated.errors import TicketsUnavailable, UnknownTicket
from starter._generated.models import (
    CreateTicketArguments,
    CreateTicketResult,
    GetTicketArguments,
    GetTicketResult,
)
from starter.lifespan import Shared, lifespan
from starter.stand_in import StandIn
from starter.tickets import Tickets
from starter.tools.create_ticket import create_ticket
from starter.tools.get_ticket import get_ticket

pytestmark = pytest.mark.anyio


def context_of(
    answer: Callable[[httpx2.Request], httpx2.Response], token: str = "secret"
) -> FakeContext:
    client = httpx2.AsyncClient(
        base_url="http://tickets",
        headers={"Authorization": f"Bearer {token}"},
        transport=httpx2.MockTransport(answer),
    )
    return fake_context(shared=Shared(Tickets(client)))


async def test_a_ticket_that_is_created_can_be_read() -> None:
    context = context_of(StandIn(token="secret"))
    made = await create_ticket(CreateTicketArguments(title="No light"), context)
    assert made == CreateTicketResult(ticket=2, title="No light", status="open")
    read = await get_ticket(GetTicketArguments(ticket=2), context)
    assert read == GetTicketResult(ticket=2, title="No light", status="open")


async def test_a_ticket_that_does_not_exist_is_an_error_that_names_it() -> None:
    with pytest.raises(UnknownTicket, match="no ticket 7"):
        await get_ticket(GetTicketArguments(ticket=7), context_of(StandIn()))


async def test_a_wrong_token_is_an_error_that_does_not_show_it() -> None:
    context = context_of(StandIn(token="secret"), token="guessed")
    with pytest.raises(TicketsUnavailable, match="not accept the token") as caught:
        await get_ticket(GetTicketArguments(ticket=1), context)
    assert "guessed" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx2.Response(503, text="stack trace"), "status 503"),
        (httpx2.Response(599), "status 599"),
        (httpx2.Response(302, headers={"Location": "http://other"}), "status 302"),
        (httpx2.Response(429), "too many requests"),
        (httpx2.Response(200, text="<html>"), "cannot be read"),
        (httpx2.Response(200, json={"id": 1}), "cannot be read"),
    ],
    ids=["down", "odd", "moved", "busy", "no JSON", "a part"],
)
async def test_an_answer_that_cannot_be_used_is_an_error(
    answer: httpx2.Response, reason: str
) -> None:
    with pytest.raises(TicketsUnavailable, match=reason) as caught:
        await get_ticket(GetTicketArguments(ticket=1), context_of(lambda _: answer))
    assert "stack trace" not in str(caught.value)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (httpx2.ReadTimeout("slow"), "takes too long"),
        (httpx2.ConnectError("no route"), "cannot be reached"),
    ],
    ids=["slow", "unreachable"],
)
async def test_a_request_that_fails_is_an_error(
    failure: httpx2.HTTPError, reason: str
) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise failure

    with pytest.raises(TicketsUnavailable, match=reason):
        await get_ticket(GetTicketArguments(ticket=1), context_of(answer))


async def test_the_server_sends_the_token_to_the_api_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TICKETS_API", "https://tickets.example.org/v1")
    monkeypatch.setenv("TICKETS_TOKEN", "secret")
    async with lifespan() as shared:
        request = shared.tickets.client.build_request("GET", "/tickets/1")
    assert str(request.url) == "https://tickets.example.org/v1/tickets/1"
    assert request.headers["Authorization"] == "Bearer secret"
