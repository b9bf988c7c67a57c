"""Test the ways in which the service fails: each is an error, never a wrong answer."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest
from upstream import RECORDED, Answer, Upstream

from weather._generated.contract import NoForecast, WeatherUnavailable
from weather.service import MAX_BYTES, WeatherService, degrees

pytestmark = pytest.mark.anyio

Serve = Callable[[dict[str, Answer]], Upstream]

ALERTS = "/alerts/active/area/CA"
POINT = "/points/37.7749,-122.4194"
FORECAST = "/gridpoints/MTR/85,105/forecast"


@asynccontextmanager
async def service_at(
    address: str, seconds: float = 30
) -> AsyncGenerator[WeatherService]:
    async with httpx2.AsyncClient(base_url=address) as client:
        yield WeatherService(client, seconds)


UNUSABLE = {
    "a server error": (Answer(b"", 500), "status 500"),
    "out of order": (Answer(b"<html>back soon</html>", 503), "status 503"),
    "a refusal": (Answer(b"{}", 403), "status 403"),
    "a redirect": (Answer(b"", 301, location="http://127.0.0.1:1/"), "status 301"),
    "no JSON": (Answer(b"<html>hello</html>"), "cannot be read"),
    "half of the JSON": (Answer(RECORDED[ALERTS].body[:500]), "cannot be read"),
    "no UTF-8": (Answer(b'{"features": "\xff"}'), "cannot be read"),
    "nothing": (Answer(b""), "cannot be read"),
    "another shape": (Answer(b'{"features": {"a": 1}}'), "cannot be read"),
    "deep JSON": (Answer(b"[" * 100_000), "cannot be read"),
    "too much": (Answer(b" " * (MAX_BYTES + 1)), "too long"),
}


@pytest.mark.parametrize(("answer", "reason"), UNUSABLE.values(), ids=UNUSABLE)
async def test_an_unusable_answer_makes_the_weather_unavailable(
    serve: Serve, answer: Answer, reason: str
) -> None:
    upstream = serve({ALERTS: answer, POINT: answer})
    async with service_at(upstream.address) as service:
        with pytest.raises(WeatherUnavailable, match=reason):
            await service.alerts("CA")
        with pytest.raises(WeatherUnavailable, match=reason):
            await service.forecast(37.7749, -122.4194)


@pytest.mark.parametrize(("answer", "reason"), UNUSABLE.values(), ids=UNUSABLE)
async def test_an_unusable_forecast_makes_the_weather_unavailable(
    serve: Serve, answer: Answer, reason: str
) -> None:
    upstream = serve({POINT: RECORDED[POINT], FORECAST: answer})
    async with service_at(upstream.address) as service:
        with pytest.raises(WeatherUnavailable, match=reason):
            await service.forecast(37.7749, -122.4194)


@pytest.mark.parametrize("pause", [0.15, 1], ids=["bit by bit", "late"])
async def test_a_slow_answer_makes_the_weather_unavailable(
    serve: Serve, pause: float
) -> None:
    body = RECORDED[ALERTS].body
    upstream = serve({ALERTS: Answer(body, pause=pause)})
    async with service_at(upstream.address, seconds=0.2) as service:
        with pytest.raises(WeatherUnavailable, match=r"longer than 0\.2 seconds"):
            await service.alerts("CA")


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "api.weather.gov"])
async def test_an_unreachable_address_makes_the_weather_unavailable(
    address: str,
) -> None:
    async with service_at(address) as service:
        with pytest.raises(WeatherUnavailable, match="cannot be reached"):
            await service.alerts("CA")


def point(forecast: object) -> Answer:
    return Answer(json.dumps({"properties": {"forecast": forecast}}).encode())


async def test_a_point_at_sea_has_no_forecast(serve: Serve) -> None:
    gone = Answer(b"{}", 404)
    upstream = serve(
        {"/points/1,2": point(None), POINT: RECORDED[POINT], FORECAST: gone}
    )
    async with service_at(upstream.address) as service:
        for place in [(1, 2), (37.7749, -122.4194)]:
            with pytest.raises(NoForecast):
                await service.forecast(*place)


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/gridpoints/MTR/85,105/forecast",
        "https://api.weather.gov:80/gridpoints/MTR/85,105/forecast",
    ],
)
async def test_a_forecast_is_asked_for_at_the_base_address_only(
    serve: Serve, address: str
) -> None:
    upstream = serve({"/points/1,2": point(address), FORECAST: RECORDED[FORECAST]})
    async with service_at(upstream.address) as service:
        assert len(await service.forecast(1, 2)) == 2
    assert [path for path, _ in upstream.requests] == ["/points/1,2", FORECAST]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://api.weather.gov",
        "https://api.weather.gov//elsewhere.example/forecast",
        "https://api.weather.gov/../admin",
        "https://api.weather.gov/%2e%2e/admin",
        "https://api.weather.gov/forecast?at=http://elsewhere.example",
        "https://api.weather.gov/forecast\r\nHost: elsewhere.example",
        "http://[/forecast",
        "https://user@elsewhere.example/forecast",
        "file:///etc/passwd",
        "//elsewhere.example/forecast",
    ],
)
async def test_an_address_that_is_not_plain_is_not_asked_at_all(
    serve: Serve, address: str
) -> None:
    upstream = serve({"/points/1,2": point(address)})
    async with service_at(upstream.address) as service:
        with pytest.raises(WeatherUnavailable, match="no usable address"):
            await service.forecast(1, 2)
    assert [path for path, _ in upstream.requests] == ["/points/1,2"]


async def test_the_base_address_may_have_a_path(serve: Serve) -> None:
    upstream = serve({f"/nws{path}": answer for path, answer in RECORDED.items()})
    async with service_at(f"{upstream.address}/nws/") as service:
        assert len(await service.alerts("CA")) == 2
        assert len(await service.forecast(37.7749, -122.4194)) == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [(37.7749, "37.7749"), (-122.41944, "-122.4194"), (38.0, "38"), (40.5, "40.5")]
    + [(0.0, "0"), (-0.00001, "0"), (100.0, "100"), (0.00005, "0.0001"), (-90, "-90")],
)
def test_degrees_are_written_as_the_service_wants_them(value: float, text: str) -> None:
    assert degrees(value) == text
