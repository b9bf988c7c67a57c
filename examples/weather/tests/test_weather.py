"""What the tools do, called as a client calls them."""

import json
from collections.abc import Callable, Generator

import pytest
from mcp import Client
from mcp_types import CallToolResult
from upstream import ANSWERS, RECORDED, Answer, Upstream

from weather._generated.runtime.trial import trial
from weather._generated.server import create_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with trial() as tried:
        for name, text in tried.variables.items():
            monkeypatch.setenv(name, text)
        yield


async def call(tool: str, **arguments: object) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def test_alerts_are_written_as_text() -> None:
    text = text_of(await call("get_alerts", state="CA"))
    first, second = text.split("\n---\n")
    assert first.startswith("Event: Wind Advisory\nArea: San Francisco; Coastal")
    assert "Severity: Moderate\nDescription: * WHAT" in first
    assert first.endswith(
        "Instructions: Use extra caution when driving. Secure outdoor objects."
    )
    assert second.startswith("Event: Special Weather Statement\nArea: Monterey, CA")
    assert second.endswith("Instructions: none")


async def test_a_state_without_alerts_is_no_error() -> None:
    result = await call("get_alerts", state="HI")
    assert text_of(result) == "No alerts in force in HI."
    assert not result.is_error


async def test_a_forecast_is_text_and_data() -> None:
    result = await call("get_forecast", latitude=37.7749, longitude=-122.4194)
    overnight, friday = text_of(result).split("\n---\n")
    assert overnight.splitlines() == [
        "Overnight:",
        "Temperature: 52°F",
        "Wind: 15 mph NW",
        "Forecast: Mostly clear, with a low around 52. Northwest wind around 15 mph.",
    ]
    assert friday.startswith("Friday:\nTemperature: 61°F")
    answer = json.loads((ANSWERS / "forecast-san-francisco.json").read_bytes())
    periods = answer["properties"]["periods"]
    told = result.structured_content["periods"]
    assert [period["name"] for period in told] == ["Overnight", "Friday"]
    for period, source in zip(told, periods, strict=True):
        assert period["start"] == source["startTime"]
        assert period["end"] == source["endTime"]
        assert period["temperature"] == source["temperature"]
        assert period["forecast"] == source["detailedForecast"]


async def test_a_service_that_is_down_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WEATHER_API", "http://127.0.0.1:1")
    result = await call("get_alerts", state="CA")
    assert result.is_error
    assert text_of(result).endswith("it cannot be reached. Try again later.")


async def test_requests_say_who_asks(upstream: Upstream) -> None:
    await call("get_alerts", state="CA")
    _, headers = upstream.requests[-1]
    assert "MCP server" in headers["User-Agent"]


async def test_a_temperature_keeps_its_unit(
    serve: Callable[[dict[str, Answer]], Upstream], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/gridpoints/MTR/85,105/forecast"
    body = RECORDED[path].body.replace(b'Unit": "F"', b'Unit": "C"')
    monkeypatch.setenv("WEATHER_API", serve({**RECORDED, path: Answer(body)}).address)
    result = await call("get_forecast", latitude=37.7749, longitude=-122.4194)
    units = {
        period["temperatureUnit"] for period in result.structured_content["periods"]
    }
    assert units == {"C"}
