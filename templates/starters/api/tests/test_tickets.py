"""Test the tools as a client calls them, and the API's failures with functions in its place."""

from collections.abc import Callable

import httpx2
import pytest
from mcp import Client

from starter._generated.contract import TicketsUnavailable, UnknownTicket
from starter._generated.server import create_server
from starter.lifespan import lifespan
from starter.stand_in import StandIn
from starter.tickets import Tickets

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers talk to the stand-in."""
    monkeypatch.delenv("TICKETS_API", raising=False)


def tickets(
    answer: Callable[[httpx2.Request], httpx2.Response], token: str = "secret"
) -> Tickets:
    client = httpx2.AsyncClient(
        base_url="http://tickets",
        headers={"Authorization": f"Bearer {token}"},
        transport=httpx2.MockTransport(answer),
    )
    return Tickets(client)


async def test_a_ticket_that_is_created_can_be_read() -> None:
    ticket = {"ticket": 2, "title": "No light", "status": "open"}
    async with Client(create_server()) as client:
        made = await client.call_tool("create_ticket", {"title": "No light"})
        assert made.structured_content == ticket
        read = await client.call_tool("get_ticket", {"ticket": 2})
        assert read.structured_content == ticket


async def test_a_ticket_that_does_not_exist_is_an_error_that_names_it() -> None:
    with pytest.raises(UnknownTicket, match="no ticket 7"):
        await tickets(StandIn()).get(7)


async def test_a_wrong_token_is_an_error_that_does_not_show_it() -> None:
    with pytest.raises(TicketsUnavailable, match="not accept the token") as caught:
        await tickets(StandIn(token="secret"), token="guessed").get(1)
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
        await tickets(lambda _: answer).get(1)
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
        await tickets(answer).get(1)


async def test_the_server_sends_the_token_to_the_api_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TICKETS_API", "https://tickets.example.org/v1")
    monkeypatch.setenv("TICKETS_TOKEN", "secret")
    async with lifespan() as shared:
        request = shared.tickets.client.build_request("GET", "/tickets/1")
    assert str(request.url) == "https://tickets.example.org/v1/tickets/1"
    assert request.headers["Authorization"] == "Bearer secret"
