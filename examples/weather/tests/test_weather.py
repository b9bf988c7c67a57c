"""What the tools do, called as a client calls them."""

import asyncio
import json
import runpy
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult
from upstream import ANSWERS, Upstream

from weather._generated.server import create_server

client = runpy.run_path(str(Path(__file__).parents[1] / "client.py"))
EXAMPLES = client["EXAMPLES"]

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in client["stand_ins"](tmp_path).items():
        monkeypatch.setenv(name, text)


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """The checks of all examples: ok, todo, skip or FAIL, and what was seen."""

    async def check_all() -> list[tuple[str, str]]:
        async with client["connected"](create_server()) as checks:
            return [await checks.example(number) for number in range(len(EXAMPLES))]

    folder = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        for name, text in client["stand_ins"](folder).items():
            patch.setenv(name, text)
        return asyncio.run(check_all())


@pytest.mark.parametrize(
    "number",
    range(len(EXAMPLES)),
    ids=[example["name"] for example in EXAMPLES],
)
def test_an_example_ends_as_the_spec_says(
    number: int, checks: list[tuple[str, str]]
) -> None:
    word, text = checks[number]
    if word in ("todo", "skip"):
        pytest.skip(text)
    assert word == "ok", text


async def call(tool: str, **arguments: object) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


async def test_alerts_are_written_as_text() -> None:
    text = client["text_of"](await call("get_alerts", state="CA"))
    first, second = text.split("\n---\n")
    assert first.startswith("Event: Wind Advisory\nArea: San Francisco; Coastal")
    assert "Severity: Moderate" in first
    assert first.endswith(
        "Instructions: Use extra caution when driving. Secure outdoor objects."
    )
    assert second.startswith("Event: Special Weather Statement\nArea: Monterey, CA")
    assert second.endswith("Instructions: none")


async def test_a_state_without_alerts_is_no_error() -> None:
    result = await call("get_alerts", state="HI")
    assert client["text_of"](result) == "No alerts in force in HI."
    assert not result.is_error


async def test_a_forecast_is_text_and_data() -> None:
    result = await call("get_forecast", latitude=37.7749, longitude=-122.4194)
    overnight, friday = client["text_of"](result).split("\n---\n")
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
    assert client["text_of"](result).endswith("it cannot be reached. Try again later.")


async def test_requests_say_who_asks(upstream: Upstream) -> None:
    await call("get_alerts", state="CA")
    _, headers = upstream.requests[-1]
    assert "MCP server" in headers["User-Agent"]
