"""The rates of a service that answers in every way it can."""

import datetime as dt
from collections.abc import Callable

import httpx2
import pytest

from expenses._generated.contract import NoRate, RatesUnavailable
from expenses.rates import RateService

pytestmark = pytest.mark.anyio

MARCH_2 = dt.date(2026, 3, 2)

Answers = Callable[[httpx2.Request], httpx2.Response]


async def rate(answers: Answers) -> float:
    """The rate of a dollar, from a function instead of the network."""
    transport = httpx2.MockTransport(answers)
    async with httpx2.AsyncClient(base_url="http://rates", transport=transport) as http:
        return await RateService(http).euros("USD", MARCH_2)


async def test_the_rate_is_that_of_the_day_that_is_asked_for() -> None:
    def answers(request: httpx2.Request) -> httpx2.Response:
        assert str(request.url) == "http://rates/2026-03-02?base=USD&symbols=EUR"
        return httpx2.Response(200, json={"rates": {"EUR": 0.5}})

    assert await rate(answers) == 0.5


async def test_a_currency_that_the_service_does_not_know_has_no_rate() -> None:
    with pytest.raises(NoRate, match="from USD to EUR on 2026-03-02"):
        await rate(lambda request: httpx2.Response(404))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx2.Response(503), "status 503"),
        (httpx2.Response(302, headers={"Location": "http://elsewhere"}), "status 302"),
        (httpx2.Response(200, text="<html>"), "cannot be read"),
        (httpx2.Response(200, json={"rates": {"EUR": 0}}), "cannot be read"),
    ],
    ids=["down", "moved", "no JSON", "a rate of nothing"],
)
async def test_an_unusable_answer_makes_the_rates_unavailable(
    answer: httpx2.Response, reason: str
) -> None:
    with pytest.raises(RatesUnavailable, match=reason):
        await rate(lambda request: answer)


async def test_a_service_that_cannot_be_reached_makes_them_unavailable_too() -> None:
    def answers(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no route to host")

    with pytest.raises(RatesUnavailable, match="cannot be reached"):
        await rate(answers)
